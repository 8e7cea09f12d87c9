package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelResult;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule N2: the status collection does not take rows while documents are written; the same over every kind of store. */
class HistoryBehindTest extends LifecycleFixture {
    private volatile boolean stalled;

    private Machine node(int slots) {
        JobStore store = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("writeRows") && stalled) {
                throw new StoreException("no answer", new IllegalStateException("planned"));
            }
            return call.proceed();
        });
        return world.node(
                "a",
                store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(slots).build()));
    }

    @Test
    @DisplayName(
            "N2: ends are recorded, slots are free, nothing runs twice; the rows come once the collection takes them")
    void stalled() {
        Machine a = node(1);
        for (int i = 0; i < 5; i++) {
            a.scheduler()
                    .scheduleJob(job("j" + i)
                            .singleSchedule(START.plusSeconds(10 + i))
                            .build());
        }
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification("0/20 * * * * ?").build());
        world.writeRows();
        stalled = true;
        pass(90_000);
        assertThat(world.calls).as("five, and one each twenty seconds").hasSize(9);
        assertThat(document("j4").isLive()).isFalse();
        assertThat(stored("j4")).hasSize(1);
        assertThat(a.scheduler().history("j4"))
                .as("with what the document shows")
                .extracting(JobExecutionStatus::executionStatus)
                .containsExactly(ExecutionStatus.TRIGGERED, ExecutionStatus.SCHEDULED);
        assertThat(a.events())
                .noneMatch(SchedulerEvent.LeaseLost.class::isInstance)
                .filteredOn(SchedulerEvent.RunRecorded.class::isInstance)
                .hasSize(9);
        stalled = false;
        pass(15_000);
        for (int i = 0; i < 5; i++) {
            assertThat(stored("j" + i)).hasSize(2);
        }
        assertThat(stored("r")).as("its creation and four or five runs").hasSizeBetween(5, 6);
        assertThat(world.calls).hasSizeBetween(9, 10);
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
    }

    @Test
    @DisplayName("N2: a request returns once its document is written and its row was tried; the row comes later")
    void request() {
        Machine a = node(1);
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(600)).build());
        world.writeRows();
        stalled = true;
        assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        assertThat(stored("j")).hasSize(1);
        stalled = false;
        pass(15_000);
        assertThat(stored("j")).hasSize(2);
    }

    @Test
    @DisplayName(
            "N2: a node for whose rows there is half of the room left claims nothing and says so, until they are written")
    void halfFull() {
        Machine a = node(4);
        stalled = true;
        List<JobSpecification> jobs = IntStream.range(0, 10_001)
                .mapToObj(i -> job("many" + i)
                        .singleSchedule(START.plus(Duration.ofDays(9)))
                        .build())
                .toList();
        a.scheduler().scheduleJobs(jobs);
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(5)).build());
        pass(30_000);
        assertThat(world.calls).isEmpty();
        assertThat(a.scheduler().health().reasons())
                .anyMatch(reason -> reason.startsWith("history is behind: 10002 status rows wait"));
        stalled = false;
        pass(15_000);
        assertThat(world.calls).hasSize(1);
        assertThat(a.scheduler().health().reasons()).noneMatch(reason -> reason.contains("history is behind"));
    }

    private List<JobExecutionStatus> stored(String key) {
        return world.store.rows(RowQuery.ofKey(key, 100));
    }
}
