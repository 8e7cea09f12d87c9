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
import java.util.Objects;
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
        return Objects.requireNonNull(machine.scheduler()
                .findJobById("j", FindScope.INCLUDING_FINISHED)
                .orElseThrow()
                .specification()
                .deleteTime());
    }

    @Test
    @DisplayName("M6: the row of a planned one-off is born with its removal; a good end on time stamps nothing")
    void onTime() {
        Machine a = node();
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE).build());
        assertThat(removals(a)).containsExactly(FIRE.plus(GOOD));
        world.pass(Duration.ofMinutes(3));
        assertThat(removals(a)).containsExactly(removalOfJob(a), FIRE.plus(GOOD));
        assertThat(changes).allSatisfy(change -> assertThat(change.stamp()).isNull());
    }

    @Test
    @DisplayName(
            "M6: where good ends are kept for less than 7 days, and for recurring jobs, rows are stamped at the end")
    void shortRetention() {
        Machine a = node(new Retention(Duration.ofDays(6), FAILED, GOOD, Duration.ofDays(1)));
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE).build());
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification("0 * * * * ?").build());
        assertThat(removals(a)).containsOnlyNulls();
        assertThat(a.scheduler().history("r").get(0).deleteTime()).isNull();
        world.pass(Duration.ofMinutes(3));
        assertThat(removals(a)).containsOnly(removalOfJob(a));
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
    @DisplayName("M6: a manual run before the fire leaves no row without a removal")
    void byHand() {
        Machine a = node();
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE).build());
        a.scheduler().runNow("j");
        world.pass(Duration.ofSeconds(10));
        assertThat(removals(a)).startsWith((Instant) null).hasSize(3);
        assertThat(removals(a).subList(1, 3)).as("the newest stays").doesNotContainNull();
    }

    @Test
    @DisplayName("M6: a new date pulls the removal of the first row forward; that of the request is kept longer")
    void redated() {
        Machine a = node();
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE).build());
        world.writeRows();
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE.minusSeconds(30)).build());
        assertThat(removals(a))
                .containsExactly(START.plus(REQUEST), FIRE.minusSeconds(30).plus(GOOD));
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE.plusSeconds(60)).build());
        assertThat(removals(a)).doesNotContainNull().hasSize(3);
        world.pass(Duration.ofMinutes(3));
        assertThat(removals(a)).doesNotContainNull().hasSize(4);
    }

    @Test
    @DisplayName("M6: a failure, after retries, too, moves the removal of all rows back")
    void failed() {
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("bad"));
        Machine a = node();
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(FIRE)
                        .retryPolicy(RetryPolicy.fixed(1, Duration.ofMinutes(1)))
                        .build());
        world.pass(Duration.ofMinutes(3));
        assertThat(removalOfJob(a)).isAfter(FIRE.plus(FAILED));
        assertThat(removals(a)).containsOnly(removalOfJob(a)).hasSize(3);
    }

    @Test
    @DisplayName(
            "M6: the row of a pause has no removal; a job that ends after a pause that outlived it keeps all its rows")
    void paused() {
        Machine a = node();
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE).build());
        world.writeRows();
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        assertThat(removals(a))
                .as("the newest never expires while the job lives")
                .startsWith((Instant) null);
        a.lanes().close();
        world.pass(Duration.ofDays(3));
        Machine b = world.node("b");
        b.scheduler().resume(PauseScope.job("j"));
        world.pass(Duration.ofMinutes(1));
        assertThat(removals(b))
                .hasSize(4)
                .allSatisfy(removal -> assertThat(removal).isAfterOrEqualTo(removalOfJob(b)));
    }

    @Test
    @DisplayName("M6: an end long after the fire keeps the rows as long as the job")
    void late() {
        Machine a = node();
        a.scheduler().scheduleJob(job("j").singleSchedule(FIRE).build());
        world.writeRows();
        a.lanes().close();
        world.pass(Duration.ofDays(3));
        Machine b = world.node("b");
        world.pass(Duration.ofMinutes(1));
        assertThat(removals(b)).containsOnly(removalOfJob(b)).hasSize(2);
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
                .satisfies(rows ->
                        assertThat(rows.get(0).deleteTime()).as("the newest").isNull())
                .filteredOn(row -> row.deleteTime() != null && row.author() == null)
                .hasSize(2)
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
    @DisplayName("M8: while the failed row of a recurring job is its newest, it has no end")
    void failureIsNewest() {
        Machine a = node();
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("bad"));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(90));
        assertThat(failures(a))
                .extracting(JobExecutionStatus::deleteTime)
                .containsOnlyNulls()
                .hasSize(1);
        world.pass(Duration.ofSeconds(60));
        assertThat(failures(a)).hasSize(2);
        assertThat(failures(a).get(0).deleteTime()).isNull();
        assertThat(failures(a).get(1).deleteTime()).isAfter(FIRE.plus(FAILED));
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
