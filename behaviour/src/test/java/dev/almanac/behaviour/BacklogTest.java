package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Backlog;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.InMemoryJobStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
                            .tags(Set.of(key))
                            .singleSchedule(World.START.plusSeconds(10))
                            .build());
        }
        busy.scheduler()
                .scheduleJob(World.job("d")
                        .singleSchedule(World.START.plusSeconds(3_600))
                        .build());
        assertThat(busy.scheduler().backlog()).isEqualTo(new Backlog(4, 0, Duration.ZERO));
        world.pass(Duration.ofSeconds(15));
        assertThat(busy.scheduler().node().runs())
                .isEqualTo(busy.scheduler().node().slots())
                .isEqualTo(1);
        assertThat(busy.scheduler().backlog()).isEqualTo(new Backlog(4, 2, Duration.ofSeconds(5)));
        String waiting = world.calls.get(0).job().equals("a") ? "b" : "a";
        busy.scheduler().pause(PauseScope.tag(waiting), new Pause("for a while", "tests", null));
        assertThat(busy.scheduler().backlog().overdueJobs()).isEqualTo(1);
        busy.scheduler().cancelJob("d");
        assertThat(busy.scheduler().backlog().liveJobs()).isEqualTo(3);
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
