package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Backlog;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Rate;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.DueQuery;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BacklogTest {
    private final World world = new World(0, InMemoryJobStore::new);

    @Test
    @DisplayName("O4: live jobs are counted; overdue are those that are due, not paused, and held by no node")
    void backlog() {
        world.work = call -> new CompletableFuture<>();
        World.Machine busy = world.node(
                "busy",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(1).build()));
        for (String key : List.of("a", "b", "c")) {
            busy.scheduler()
                    .scheduleJob(World.job(key)
                            .tags(key)
                            .singleSchedule(World.START.plusSeconds(10))
                            .build());
        }
        busy.scheduler()
                .scheduleJob(World.job("d")
                        .singleSchedule(World.START.plusSeconds(3_600))
                        .build());
        assertThat(busy.scheduler().backlog()).isEqualTo(new Backlog(0, Duration.ZERO));
        world.pass(Duration.ofSeconds(15));
        assertThat(busy.scheduler().node().runs())
                .isEqualTo(busy.scheduler().node().slots())
                .isEqualTo(1);
        assertThat(busy.scheduler().backlog()).isEqualTo(new Backlog(2, Duration.ofSeconds(5)));
        String waiting = world.calls.get(0).job().equals("a") ? "b" : "a";
        busy.scheduler().pause(PauseScope.tag(waiting), new Pause("for a while", "tests", null));
        assertThat(busy.scheduler().backlog().overdueJobs()).isEqualTo(1);
        assertThat(busy.scheduler().countLiveJobs()).isEqualTo(4);
        busy.scheduler().cancelJob("d");
        assertThat(busy.scheduler().countLiveJobs()).isEqualTo(3);
    }

    /** A command that no helper supports: jobs of it are released, and stay due. */
    record Other(String text) implements SchedulingCommand {}

    private World.Machine withOther() {
        return world.node("a", world.store, Duration.ZERO, builder -> builder.command("other", 1, Other.class));
    }

    private static JobSpecification unsupported(String key, @Nullable String group) {
        return World.job(key)
                .triggerCommand(new Other(key))
                .exclusiveGroup(group)
                .singleSchedule(World.START.plusSeconds(2))
                .build();
    }

    private static JobSpecification member(int number) {
        return World.job("g" + number)
                .exclusiveGroup("ledger")
                .singleSchedule(World.START.plusSeconds(1))
                .build();
    }

    @Test
    @DisplayName("O5: overdue jobs are reported also behind more jobs of one group than are counted, which are not")
    void behindAGroup() {
        World.Machine a = withOther();
        List<JobSpecification> jobs = new ArrayList<>(
                IntStream.range(0, 2_200).mapToObj(BacklogTest::member).toList());
        IntStream.range(0, 30).forEach(i -> jobs.add(unsupported("x" + i, null)));
        a.scheduler().scheduleJobs(jobs);
        world.work = call -> world.after(Duration.ofSeconds(10));
        world.pass(Duration.ofMinutes(8));
        assertThat(a.scheduler().health().reasons())
                .hasSize(2)
                .anyMatch(reason -> reason.startsWith("30 jobs of its command types have been due"))
                .anyMatch(reason -> reason.startsWith("finding a helper for commands of type other has failed"));
    }

    @Test
    @DisplayName(
            "O5, X6: a due job with needs that no live node supports is overdue, and health says so after 5 minutes")
    void unsupported() {
        JobStore older = StoreHook.over(
                world.store,
                (method, arguments, call) ->
                        method.equals("due") && !((DueQuery) arguments[0]).anyNeeds() ? List.of() : call.proceed());
        World.Machine a = world.node("a", older, Duration.ZERO, builder -> builder);
        a.scheduler()
                .scheduleJob(World.job("newer")
                        .singleSchedule(World.START.plusSeconds(2))
                        .build());
        world.pass(Duration.ofMinutes(7));
        assertThat(world.calls).isEmpty();
        assertThat(a.scheduler().backlog().overdueJobs()).isEqualTo(1);
        assertThat(a.scheduler().health().reasons())
                .singleElement()
                .asString()
                .startsWith("1 jobs of its command types have been due");
    }

    @Test
    @DisplayName("O5: overdue jobs of groups in which nothing happens are reported")
    void freeGroups() {
        World.Machine a = withOther();
        for (int i = 0; i < 30; i++) {
            a.scheduler().scheduleJob(unsupported("x" + i, "customer-" + i));
        }
        world.pass(Duration.ofMinutes(8));
        assertThat(a.scheduler().health().reasons())
                .hasSize(2)
                .anyMatch(reason -> reason.startsWith("30 jobs of its command types have been due"))
                .anyMatch(reason -> reason.startsWith("finding a helper for commands of type other has failed"));
    }

    @ParameterizedTest(name = "a run takes {0}, one each {1}")
    @CsvSource({"PT1H, ", "PT0S, 1/h"})
    @DisplayName("O5: jobs that wait for a member of their group, or for its rate, are not reported")
    void waitingGroups(Duration run, @Nullable String rate) {
        World.Machine a = withOther();
        if (rate != null) {
            a.scheduler().groups().put("ledger", new GroupLimits(1, Rate.parse(rate)));
        }
        world.work = call -> world.after(run);
        a.scheduler()
                .scheduleJobs(
                        IntStream.range(0, 20).mapToObj(BacklogTest::member).toList());
        world.pass(Duration.ofMinutes(30));
        assertThat(world.calls).hasSize(1);
        assertThat(a.scheduler().health().reasons()).isEmpty();
        assertThat(a.scheduler().backlog().overdueJobs())
                .as("an alert counts as health does")
                .isZero();
        assertThat(a.scheduler().backlog().oldestOverdue()).isZero();
    }

    @Test
    @DisplayName("O4: rows of claims that run nothing are reported as well, once, when they are durable")
    void settledRows() {
        World.Machine first = world.node("first");
        World.Machine second = world.node("second");
        first.scheduler()
                .scheduleJob(World.job("once")
                        .crashPolicy(CrashPolicy.FAIL)
                        .singleSchedule(World.START.plusSeconds(10))
                        .build());
        world.work = call -> new CompletableFuture<>();
        world.pass(Duration.ofSeconds(11));
        World.Machine holder = world.calls.get(0).node().equals("first") ? first : second;
        World.Machine other = holder == first ? second : first;
        holder.lanes().close();
        world.pass(Duration.ofMinutes(2));
        List<JobExecutionStatus> told = other.events().stream()
                .filter(SchedulerEvent.RunRecorded.class::isInstance)
                .map(event -> ((SchedulerEvent.RunRecorded) event).row())
                .toList();
        assertThat(told)
                .extracting(JobExecutionStatus::outcome)
                .contains(Outcome.CRASHED)
                .doesNotHaveDuplicates();
        assertThat(told)
                .filteredOn(row -> row.executionStatus() == ExecutionStatus.FAILED)
                .hasSize(1);
    }
}
