package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Retention;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When the rows of one-offs are removed, whatever becomes of their job: the same over every kind of store. */
class RemovalOfRowsTest extends OverStores {
    private static final Duration GOOD = Duration.ofDays(7);
    private static final Duration FAILED = Duration.ofDays(30);
    private static final Duration REQUEST = Duration.ofDays(30);
    private static final Instant FIRE = START.plusSeconds(60);

    private final List<JobChange> changes = new ArrayList<>();

    private Machine node() {
        return node(new Retention(GOOD, FAILED, GOOD, Duration.ofDays(1)));
    }

    private Machine node(Retention retention) {
        JobStore watched = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("write")) {
                ((List<?>) arguments[0]).forEach(change -> changes.add((JobChange) change));
            }
            return call.proceed();
        });
        return world.node(
                "a",
                watched,
                Duration.ZERO,
                builder -> builder.retention(retention)
                        .settings(SchedulerSettings.builder().retentionSpread(0).build()));
    }

    private List<Instant> removals(Machine machine) {
        return machine.scheduler().history("j").stream()
                .map(JobExecutionStatus::deleteTime)
                .toList();
    }

    private Instant removalOfJob(Machine machine) {
        return machine.scheduler()
                .findJobById("j", FindScope.INCLUDING_FINISHED)
                .flatMap(job -> job.specification().deleteTime())
                .orElseThrow();
    }

    @Test
    @DisplayName("N5: every row is born with its removal; an end on time touches no other row")
    void onTime() {
        Machine a = node();
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE).build());
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification("0 * * * * ?").build());
        assertThat(removals(a)).containsExactly(FIRE.plus(GOOD));
        assertThat(a.scheduler().history("r").get(0).deleteTime()).isNotNull();
        world.pass(Duration.ofMinutes(3));
        assertThat(removals(a)).containsExactly(removalOfJob(a), FIRE.plus(GOOD));
        assertThat(a.scheduler().history("r"))
                .hasSize(4)
                .extracting(JobExecutionStatus::deleteTime)
                .doesNotContainNull();
        assertThat(changes).allSatisfy(change -> assertThat(change.limit()).isNull());
    }

    @Test
    @DisplayName("M6: a cancel pulls the removal forward")
    void early() {
        Machine a = node();
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plus(Duration.ofDays(400)))
                        .build());
        assertThat(removals(a)).containsExactly(START.plus(Duration.ofDays(400)).plus(GOOD));
        a.scheduler().cancelJob("j");
        assertThat(removalOfJob(a)).isEqualTo(START.plus(GOOD));
        assertThat(removals(a)).as("requests of users").containsExactly(START.plus(REQUEST), START.plus(REQUEST));
    }

    @Test
    @DisplayName("N5: a new date long before the former one pulls rows forward; one shortly before it does not")
    void redated() {
        Machine a = node();
        a.scheduler()
                .scheduleJob(
                        job("j").singleSchedule(FIRE.plus(Duration.ofDays(400))).build());
        world.writeRows();
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE).build());
        assertThat(removals(a)).containsExactly(START.plus(REQUEST), FIRE.plus(FAILED));
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE.minusSeconds(30)).build());
        assertThat(changes.stream().filter(change -> change.limit() != null)).hasSize(1);
    }

    @Test
    @DisplayName("N5: of a one-off that fails after retries the rows of its attempts are kept as long as failures are")
    void failed() {
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("bad"));
        Machine a = node();
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(FIRE)
                        .retryPolicy(RetryPolicy.fixed(1, Duration.ofMinutes(1)))
                        .build());
        world.pass(Duration.ofMinutes(3));
        assertThat(removalOfJob(a)).isAfter(FIRE.plus(FAILED));
        assertThat(removals(a))
                .startsWith(removalOfJob(a))
                .endsWith(FIRE.plus(GOOD))
                .hasSize(3);
        assertThat(removals(a).get(1)).isAfter(FIRE.plus(FAILED));
    }

    @Test
    @DisplayName("N4: the newest row of a job that is paused for longer than its rows are kept stays while a node runs")
    void paused() {
        Machine a = node();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(90));
        a.scheduler().pause(PauseScope.everything(), new Pause("audit", "ops", null));
        String newest = a.scheduler().history("j").get(0).id();
        a.lanes().close();
        world.pass(Duration.ofHours(23));
        Machine b = world.node("b");
        world.pass(Duration.ofMinutes(10));
        assertThat(a.scheduler().history("j").get(0).id()).isEqualTo(newest);
        assertThat(removals(b).get(0)).isAfter(world.time.wall().plus(Duration.ofDays(3)));
    }

    /** A job of each minute, of which the second run fails. */
    private Machine failingOnce(JobSpecificationBuilder job) {
        Machine a = node();
        world.work = call -> call.fire().equals(FIRE.plusSeconds(60))
                ? CompletableFuture.failedFuture(new IllegalStateException("bad"))
                : CompletableFuture.completedFuture(null);
        a.scheduler().scheduleJob(job.schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(290));
        assertThat(world.calls).hasSize(4);
        return a;
    }

    private static List<JobExecutionStatus> failures(Machine machine) {
        return machine.scheduler().history("j").stream()
                .filter(row -> row.executionStatus() == ExecutionStatus.FAILED)
                .toList();
    }

    @Test
    @DisplayName("M8: the failed row of a recurring job keeps the retention of failures; its other rows do not")
    void failureOfRecurring() {
        Machine a = failingOnce(job("j"));
        assertThat(failures(a))
                .singleElement()
                .satisfies(row -> assertThat(row.deleteTime()).isAfter(FIRE.plus(FAILED)));
        assertThat(a.scheduler().history("j"))
                .filteredOn(row -> row.executionStatus() != ExecutionStatus.FAILED)
                .hasSize(4)
                .filteredOn(row -> row.author() == null)
                .hasSize(3)
                .allSatisfy(row -> assertThat(row.deleteTime()).isBefore(FIRE.plus(Duration.ofDays(2))));
    }

    @Test
    @DisplayName("M8: the failed row of a recurring job is kept by the job's own retention of failures, if it has one")
    void failureOfRecurringWithItsOwn() {
        Machine a =
                failingOnce(job("j").retention(new Retention(GOOD, Duration.ofDays(90), GOOD, Duration.ofHours(1))));
        assertThat(failures(a))
                .singleElement()
                .satisfies(row -> assertThat(row.deleteTime()).isAfter(FIRE.plus(Duration.ofDays(90))));
    }

    @Test
    @DisplayName("M8, 15: with history TROUBLE the failed row of a recurring job has the retention of failures, too")
    void failureWithTrouble() {
        Machine a = failingOnce(job("j").history(History.TROUBLE));
        assertThat(a.scheduler().history("j"))
                .singleElement()
                .satisfies(row -> assertThat(row.deleteTime()).isAfter(FIRE.plus(FAILED)));
    }

    @Test
    @DisplayName("M8: a job that has failed and is cancelled later keeps the failed row as long as failures are")
    void failureBeforeCancel() {
        Machine a = failingOnce(job("j"));
        a.scheduler().cancelJob("j");
        assertThat(failures(a))
                .singleElement()
                .satisfies(row -> assertThat(row.deleteTime()).isAfter(FIRE.plus(FAILED)));
    }

    @Test
    @DisplayName("M8: a failed row that is the newest as its recurring job is cancelled is kept longer than the job")
    void failureAsCancelled() {
        Machine a = node();
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("bad"));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(90));
        a.scheduler().cancelJob("j");
        assertThat(failures(a))
                .singleElement()
                .satisfies(row -> assertThat(row.deleteTime()).isAfter(FIRE.plus(FAILED)));
        assertThat(removalOfJob(a)).isBefore(FIRE.plus(GOOD).plusSeconds(60));
    }

    @Test
    @DisplayName(
            "M8: a failed row before the last fire of a recurring job, which went well, is kept longer than the job")
    void failureBeforeTheLastFire() {
        Machine a = node();
        world.work = call -> call.fire().equals(FIRE)
                ? CompletableFuture.failedFuture(new IllegalStateException("bad"))
                : CompletableFuture.completedFuture(null);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .maxFires(2)
                        .build());
        world.pass(Duration.ofMinutes(4));
        assertThat(world.calls).hasSize(2);
        assertThat(failures(a))
                .singleElement()
                .satisfies(row -> assertThat(row.deleteTime()).isAfter(FIRE.plus(FAILED)));
        assertThat(removalOfJob(a)).isBefore(FIRE.plus(GOOD).plusSeconds(120));
    }
}
