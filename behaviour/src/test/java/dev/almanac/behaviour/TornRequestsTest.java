package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.FindScope;
import dev.almanac.model.Finding;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node that dies between the document of a user's change and its row: the same over memory and a real server. */
class TornRequestsTest extends OverStores {
    /** A node that runs nothing, whose first write of a change leaves the row out, and which learns no more of it. */
    private Machine dying() {
        FaultyStore network = new FaultyStore(world.store, world.lanes.node().open("network", 1))
                .fail(StoreCall.WRITE, 1, Fault.TORN)
                .fail(StoreCall.LOAD, 1, Fault.LOSE_REQUEST);
        return world.node(
                "dying",
                network,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().autoRehydrate(false).build()));
    }

    private static List<Finding.Kind> found(InvariantReport report) {
        return report.findings().stream().map(Finding::kind).toList();
    }

    /** Whatever it was doing, the row of the cancel is missing and the older rows have no end. */
    private Scheduler canceledInPart(JobSpecification job) {
        Machine dying = dying();
        Scheduler scheduler = world.node("a").scheduler();
        scheduler.scheduleJob(job);
        world.writeRows();
        scheduler.pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        assertThatThrownBy(() -> dying.scheduler().cancelJob("j")).isInstanceOf(StoreException.class);
        dying.lanes().close();
        world.pass(Duration.ofMinutes(5));
        assertThat(stored())
                .extracting(JobExecutionStatus::detail)
                .containsExactly("paused by ops: audit", "scheduled");
        return scheduler;
    }

    private List<JobExecutionStatus> stored() {
        return world.store.rows(RowQuery.ofKey("j", 100));
    }

    private void assertMended(Scheduler scheduler) {
        assertThat(scheduler.findJobById("j", FindScope.INCLUDING_FINISHED))
                .get()
                .matches(job -> job.specification().deleteTime().isPresent());
        List<JobExecutionStatus> rows = scheduler.history("j");
        assertThat(rows).extracting(JobExecutionStatus::detail).startsWith("cancelled", "paused by ops: audit");
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.deleteTime())
                        .as("of a request: it is kept longer than the job")
                        .isBetween(START.plus(Duration.ofDays(7)), START.plus(Duration.ofDays(34))));
        assertThat(found(scheduler.checkInvariants())).as("a second look").isEmpty();
    }

    private static List<String> details(Scheduler scheduler) {
        return scheduler.history("j").stream()
                .map(row -> row.executionStatus() + "/" + row.outcome() + " " + row.detail())
                .toList();
    }

    @Test
    @DisplayName("P7: the row of a torn change before a claim is written by the node that ends the claim")
    void changeBeforeClaim() {
        Machine dying = dying();
        Machine a = world.node("a");
        Scheduler scheduler = a.scheduler();
        scheduler.scheduleJob(job("j").schedulingSpecification("0 0 * * * ?").build());
        assertThatThrownBy(() -> dying.scheduler().runNow("j")).isInstanceOf(StoreException.class);
        world.writeRows();
        assertThat(stored()).as("the row is lost").hasSize(1);
        world.pass(Duration.ofSeconds(10));
        assertThat(details(scheduler))
                .containsExactly(
                        "SCHEDULED/SUCCEEDED null",
                        "SCHEDULED/NONE a run now was requested",
                        "SCHEDULED/NONE scheduled");
        assertThat(a.events().stream().filter(SchedulerEvent.RunRecorded.class::isInstance))
                .as("what is told is the run")
                .hasSize(1);
    }

    @Test
    @DisplayName("P7: the row of a torn change under a lease is written by the holder, and told as no run")
    void changeUnderLease() {
        Machine dying = dying();
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(30));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(70));
        assertThatThrownBy(() -> dying.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null)))
                .isInstanceOf(StoreException.class);
        world.pass(Duration.ofSeconds(60));
        List<String> told = details(a.scheduler());
        assertThat(told.subList(told.size() - 2, told.size()))
                .containsExactly("SCHEDULED/PAUSED paused by ops: audit", "SCHEDULED/NONE scheduled");
        assertThat(told.get(0)).startsWith("SCHEDULED/SUCCEEDED");
        assertThat(a.events().stream().filter(SchedulerEvent.RunRecorded.class::isInstance))
                .as("the run, and not the change")
                .hasSize(1)
                .allMatch(event -> event.toString().contains("SUCCEEDED"));
    }

    @Test
    @DisplayName("O4: a run whose job is cancelled meanwhile is reported with its own outcome, and then the cancel")
    void canceledMeanwhile() {
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(30));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(70));
        a.scheduler().cancelJob("j");
        world.pass(Duration.ofSeconds(60));
        assertThat(a.events().stream()
                        .filter(SchedulerEvent.RunRecorded.class::isInstance)
                        .map(event -> ((SchedulerEvent.RunRecorded) event).row().outcome()))
                .containsExactly(Outcome.SUCCEEDED, Outcome.CANCELED);
        assertThat(a.scheduler().history("j")).hasSize(4);
    }

    @Test
    @DisplayName("P5 P7: the row of a torn change under a lease whose holder died is written by the one that recovers")
    void changeOfAbandoned() {
        Machine dying = dying();
        Machine holder = world.node("holder");
        world.work = call -> world.after(Duration.ofSeconds(3_600));
        holder.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 * * * ?").build());
        holder.scheduler().runNow("j");
        world.pass(Duration.ofSeconds(5));
        assertThatThrownBy(() -> dying.scheduler().cancelJob("j")).isInstanceOf(StoreException.class);
        holder.lanes().close();
        dying.lanes().close();
        Scheduler scheduler = world.node("b").scheduler();
        world.pass(Duration.ofSeconds(60));
        assertThat(details(scheduler).subList(0, 3))
                .satisfiesExactly(
                        row -> assertThat(row).startsWith("CANCELED/CANCELED"),
                        row -> assertThat(row).startsWith("SCHEDULED/ABANDONED"),
                        row -> assertThat(row).isEqualTo("SCHEDULED/NONE cancel requested"));
        assertThat(scheduler.history("j"))
                .hasSize(5)
                .allSatisfy(row -> assertThat(row.deleteTime()).isNotNull());
    }

    @Test
    @DisplayName("P7: a check writes the row of a torn cancel of a recurring job")
    void cancelOfRecurring() {
        Scheduler scheduler =
                canceledInPart(job("j").schedulingSpecification("0 0 * * * ?").build());
        assertThat(found(scheduler.checkInvariants())).containsExactly(Finding.Kind.ROW_MISSING);
        assertMended(scheduler);
    }

    @Test
    @DisplayName("P7: a check writes the row of a torn cancel of a one-off")
    void cancelOfOneOff() {
        Scheduler scheduler =
                canceledInPart(job("j").singleSchedule(START.plusSeconds(9_000)).build());
        assertThat(found(scheduler.checkInvariants())).containsExactly(Finding.Kind.ROW_MISSING);
        assertMended(scheduler);
    }
}
