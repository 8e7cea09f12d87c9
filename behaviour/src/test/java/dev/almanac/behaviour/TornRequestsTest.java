package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.FindScope;
import dev.almanac.model.Finding;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node that dies between the document of a user's change and its row: the same over memory and a real server. */
class TornRequestsTest extends OverStores {
    /** A node whose next write of a change leaves the row out. */
    private Machine dying() {
        FaultyStore network = new FaultyStore(world.store, world.lanes.node().open("network", 1))
                .fail(StoreCall.WRITE, 1, Fault.TORN);
        return world.node("dying", network, Duration.ZERO, builder -> builder);
    }

    private static List<Finding.Kind> found(InvariantReport report) {
        return report.findings().stream().map(Finding::kind).toList();
    }

    /** Whatever it was doing, the row of the cancel is missing and the older rows have no end. */
    private Scheduler canceledInPart(JobSpecification job) {
        Machine dying = dying();
        Scheduler scheduler = world.node("a").scheduler();
        scheduler.scheduleJob(job);
        scheduler.pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        assertThatThrownBy(() -> dying.scheduler().cancelJob("j")).isInstanceOf(StoreException.class);
        dying.lanes().close();
        world.pass(Duration.ofMinutes(5));
        assertThat(scheduler.history("j"))
                .extracting(JobExecutionStatus::detail)
                .containsExactly("paused by ops: audit", "scheduled");
        return scheduler;
    }

    private void assertMended(Scheduler scheduler) {
        Instant deleteTime = scheduler
                .findJobById("j", FindScope.INCLUDING_FINISHED)
                .orElseThrow()
                .specification()
                .deleteTime();
        assertThat(deleteTime).isNotNull();
        List<JobExecutionStatus> rows = scheduler.history("j");
        assertThat(rows).extracting(JobExecutionStatus::detail).startsWith("cancelled", "paused by ops: audit");
        assertThat(rows.get(0).deleteTime()).isEqualTo(deleteTime);
        assertThat(rows).allSatisfy(row -> assertThat(row.deleteTime()).isBetween(START, deleteTime));
        assertThat(found(scheduler.checkInvariants())).as("a second look").isEmpty();
    }

    @Test
    @DisplayName(
            "P7 M6: the check that writes the row of a torn cancel stamps the older rows of the recurring job with it")
    void cancelOfRecurring() {
        Scheduler scheduler =
                canceledInPart(job("j").schedulingSpecification("0 0 * * * ?").build());
        assertThat(found(scheduler.checkInvariants()))
                .containsExactly(Finding.Kind.ROW_UNSTAMPED, Finding.Kind.ROW_MISSING);
        assertMended(scheduler);
    }

    @Test
    @DisplayName("P7 M6: the check that writes the row of a torn cancel stamps all older rows of the one-off with it")
    void cancelOfOneOff() {
        Scheduler scheduler =
                canceledInPart(job("j").singleSchedule(START.plusSeconds(9_000)).build());
        assertThat(found(scheduler.checkInvariants()))
                .containsExactly(Finding.Kind.ROW_UNSTAMPED, Finding.Kind.ROW_UNSTAMPED, Finding.Kind.ROW_MISSING);
        assertMended(scheduler);
    }
}
