package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.SchedulerSettingsBuilder;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a node cannot take hides nothing that it can (rule X7). */
class NothingStarvesTest extends LifecycleFixture {
    /** A command of another type. */
    record Other(String text) implements SchedulingCommand {}

    private final List<Instant> others = new ArrayList<>();

    /** A node that looks at few jobs at a time, and runs both types. */
    private Machine node(String name, UnaryOperator<SchedulerBuilder> more) {
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> more.apply(builder.settings(small().build())
                        .command("other", 1, Other.class)
                        .helper(new Others())));
    }

    private static SchedulerSettingsBuilder small() {
        return SchedulerSettings.builder().claimBatch(5);
    }

    private final class Others implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Other;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            others.add(world.time.wall());
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Stores jobs, and runs none. */
    private Scheduler client(UnaryOperator<SchedulerBuilder> more) {
        return world.client(builder -> more.apply(builder.command("other", 1, Other.class)));
    }

    private static void notes(Scheduler scheduler, int count, int priority, Instant at) {
        for (int i = 0; i < count; i++) {
            scheduler.scheduleJob(job("note-" + priority + "-" + i)
                    .priority(priority)
                    .singleSchedule(at)
                    .build());
        }
    }

    private static void other(Scheduler scheduler, Instant at) {
        scheduler.scheduleJob(
                job("other").triggerCommand(new Other("o")).singleSchedule(at).build());
    }

    @Test
    @DisplayName("X7: the backlog of a type at its limit hides no job of another type, and costs no looks")
    void typeAtItsLimit() {
        Scheduler client = client(builder -> builder);
        notes(client, 100, 4, START.plusSeconds(1));
        other(client, START.plusMillis(5_300));
        world.work = call -> endless();
        FaultyStore counted = new FaultyStore(world.store, world.lanes.node().open("network", 1));
        world.node(
                "a",
                counted,
                Duration.ZERO,
                builder -> builder.settings(small().build())
                        .typeLimit("note", 1)
                        .command("other", 1, Other.class)
                        .helper(new Others()));
        pass(10_000);
        assertThat(world.calls).hasSize(1);
        assertThat(others).containsExactly(START.plusMillis(5_300));
        assertThat(counted.calls(StoreCall.DUE)).isLessThan(30);
    }

    @Test
    @DisplayName("X7: overdue jobs of a type at its limit delay no start of another type that comes between two looks")
    void alarmBehindATypeAtItsLimit() {
        Machine a = node("a", builder -> builder.typeLimit("note", 1));
        world.work = call -> endless();
        notes(a.scheduler(), 5, 4, START.plusSeconds(1));
        other(a.scheduler(), START.plusMillis(3_450));
        pass(5_000);
        assertThat(others).containsExactly(START.plusMillis(3_450));
    }

    @Test
    @DisplayName("X7: jobs that this node leaves to others hide no job that it can run")
    void backedOff() {
        Scheduler client = client(builder -> builder.calendar("holidays", closedUntil(START)));
        for (int i = 0; i < 60; i++) {
            client.scheduleJob(job("n" + i)
                    .calendars("holidays")
                    .schedulingSpecification("1 * * * * ?")
                    .build());
        }
        other(client, START.plusSeconds(20));
        node("a", builder -> builder);
        pass(30_000);
        assertThat(world.calls).isEmpty();
        assertThat(others).singleElement().satisfies(at -> assertThat(at).isBefore(START.plusMillis(20_100)));
    }

    @Test
    @DisplayName("R9 X7: urgent jobs of the next seconds keep no slot free of others that are due")
    void urgentOfTheFuture() {
        Scheduler client = client(builder -> builder);
        notes(client, 100, 0, START.plusMillis(4_700));
        notes(client, 3, 5, START.plusMillis(1));
        pass(100);
        node("a", builder -> builder);
        pass(1_500);
        assertThat(world.calls).extracting(Call::job).containsExactlyInAnyOrder("note-5-0", "note-5-1", "note-5-2");
        pass(5_000);
        assertThat(world.calls).hasSize(103);
    }

    @Test
    @DisplayName("R9: urgent jobs that are due come before any backlog of others")
    void urgentFirst() {
        Scheduler client = client(builder -> builder);
        notes(client, 200, 5, START.plusMillis(1));
        notes(client, 3, 0, START.plusMillis(50));
        pass(100);
        world.work = call -> endless();
        node("a", builder -> builder.settings(small().maxConcurrentRuns(10).build()));
        pass(3_000);
        assertThat(world.calls).hasSize(10).extracting(Call::job).contains("note-0-0", "note-0-1", "note-0-2");
    }

    @Test
    @DisplayName("X7: under overload every partition is served, even beside a live node that claims nothing")
    void neglectedPartitions() {
        node("idle", builder -> builder.settings(small().autoRehydrate(false).build()));
        Machine a = node(
                "a", builder -> builder.settings(small().maxConcurrentRuns(4).build()));
        world.work = call -> slow(Duration.ofMillis(500));
        Set<String> keys = new java.util.TreeSet<>();
        for (int i = 0; i < 40; i++) {
            keys.add("job-" + i);
            a.scheduler()
                    .scheduleJob(job("job-" + i)
                            .schedulingSpecification("* * * * * ?")
                            .build());
        }
        pass(60_000);
        assertThat(world.calls.stream().map(Call::job).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    @DisplayName("P9 X7: due jobs of a busy group delay no other jobs")
    void busyGroup() {
        Scheduler client = client(builder -> builder);
        for (int i = 0; i < 60; i++) {
            client.scheduleJob(job("g" + i)
                    .exclusiveGroup("ledger")
                    .singleSchedule(START.plusSeconds(1))
                    .build());
        }
        for (int i = 0; i < 10; i++) {
            client.scheduleJob(job("o" + i)
                    .triggerCommand(new Other("o"))
                    .singleSchedule(START.plusMillis(3_333 + 500 * i))
                    .build());
        }
        world.work = call -> slow(Duration.ofMillis(700));
        node("a", builder -> builder);
        pass(10_000);
        assertThat(others).hasSize(10);
        for (int i = 0; i < 10; i++) {
            assertThat(others.get(i)).isEqualTo(START.plusMillis(3_333 + 500 * i));
        }
        assertThat(world.calls.size()).as("nor does the group stand still").isGreaterThan(10);
    }
}
