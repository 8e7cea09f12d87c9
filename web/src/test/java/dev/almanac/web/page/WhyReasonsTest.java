package dev.almanac.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.Blocked;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.Phase;
import dev.almanac.store.Requests;
import dev.almanac.store.StoredJob;
import dev.almanac.store.StoredJobEdit;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The short reasons of lists say the same as the explanation of the job. */
class WhyReasonsTest {
    private static final Instant NOW = Instant.parse("2100-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(600);
    private static final NodeReport NODE =
            new NodeReport("n1", "node-1", NOW, NOW, "2026a", Duration.ZERO, Set.of("note"), 0);

    private static StoredJob job(Instant due, Consumer<StoredJobEdit> edit) {
        return Specimens.minimal("job", due).job().with(edit);
    }

    private static Why why(StoredJob job, StandingPause... pauses) {
        return Why.of(
                job,
                new Why.Cluster(
                        List.of(NODE), List.of(pauses), Set.of("bank")::contains, NOW, group -> Optional.of(false)),
                true);
    }

    private static Requests canceled(boolean interrupt) {
        return Requests.NONE.cancel(interrupt);
    }

    @Test
    @DisplayName("40, P7: of a cancelled job the list says what of it is still to come")
    void canceled() {
        Lease lease = new Lease("n1", 7, LATER);
        assertThat(why(job(LATER, edit -> edit.lease(lease).requests(canceled(false))))
                        .text())
                .isEqualTo("is cancelled: its present run continues to its end");
        assertThat(why(job(LATER, edit -> edit.lease(lease).requests(canceled(true))))
                        .text())
                .isEqualTo("is cancelled: its present run is to be interrupted");
        assertThat(why(job(LATER, edit -> edit.lease(lease).phase(Phase.FOLLOW).requests(canceled(true))))
                        .text())
                .isEqualTo("is cancelled: the follow-ups of its last run are stored first");
        StoredJob retry = job(
                LATER,
                edit -> edit.plan(Specimens.minimal("job", NOW).job().plan().retryAt(LATER, null))
                        .requests(canceled(false).withPause(new Pause("audit", "ann", null)))
                        .blocked(Blocked.toRepair("a field")));
        assertThat(why(retry).text()).isEqualTo("is cancelled: the next claim records it");
        StandingPause everything = new StandingPause(PauseScope.everything(), new Pause("move", "ann", null), NOW);
        assertThat(why(retry, everything).text())
                .as("that holds the claim back, too")
                .startsWith("paused with everything");
    }

    @Test
    @DisplayName("40: a fire that its helper has postponed has not failed, and is not simply due")
    void postponed() {
        StoredJob postponed = job(
                LATER,
                edit -> edit.plan(Specimens.minimal("job", NOW).job().plan().postponedTo(LATER, null)));
        assertThat(why(postponed).text()).startsWith("was postponed by its helper; it goes on ");
        StoredJob failed = job(
                LATER,
                edit -> edit.plan(Specimens.minimal("job", NOW).job().plan().retryAt(LATER, null)));
        assertThat(why(failed).text()).startsWith("attempt 1 has failed");
    }

    @Test
    @DisplayName(
            "40, N8: what no slot is missing for is not sent to the slots: unplanned, calendars of code, abandoned")
    void notForWantOfSlots() {
        JobExecutionStatus ended = Specimens.minimal("job", NOW).job().lastStatus().toBuilder()
                .outcome(Outcome.SUCCEEDED)
                .build();
        assertThat(why(job(NOW, edit -> edit.verdict(ended))).text())
                .isEqualTo("its next fire is to be planned by a node that knows its calendars");
        StoredJob excluded = job(NOW, edit -> {});
        assertThat(why(of(excluded, "bank", "feasts")).text())
                .isEqualTo(
                        "is due; calendar feasts is not stored, so that only a service that declares it can plan the job");
        assertThat(why(of(excluded, "bank")).text()).isEqualTo("is due; the nodes have not claimed it yet");
        assertThat(why(job(NOW, edit -> edit.sequences(excluded.sequences().claimed())))
                        .text())
                .isEqualTo("a claim of it has ended without a result; the next one recovers it");
        assertThat(why(job(
                                NOW,
                                edit -> edit.phase(Phase.FOLLOW)
                                        .sequences(excluded.sequences().claimed())))
                        .text())
                .as("its run has a result")
                .isEqualTo("its run has ended; its follow-ups are to be stored");
        assertThat(why(of(job(NOW, edit -> edit.verdict(ended)), "feasts")).text())
                .isEqualTo(
                        "is due; calendar feasts is not stored, so that only a service that declares it can plan the job");
    }

    @Test
    @DisplayName("N8: owed follow-ups wait for no pause of their job, for none of its calendars, and for no second run")
    void following() {
        Requests paused = Requests.NONE.withPause(new Pause("audit", "ann", null));
        StoredJob free = job(NOW, edit -> edit.phase(Phase.FOLLOW).requests(paused));
        assertThat(why(of(free, "feasts")).text()).isEqualTo("its run has ended; its follow-ups are to be stored");
        Lease over = new Lease("n0", 7, NOW.minusSeconds(60));
        assertThat(why(job(NOW, edit -> edit.phase(Phase.FOLLOW).lease(over))).text())
                .isEqualTo("its run has ended; its follow-ups are to be stored");
        assertThat(why(job(NOW, edit -> edit.requests(paused))).text()).isEqualTo("paused by ann: audit");
    }

    @Test
    @DisplayName(
            "S18: a planned pause that holds the next fire is the reason, and no trouble; one of another time is not")
    void plannedPause() {
        Requests held = Requests.NONE.withPause(new Pause("audit", "ann", NOW.plusSeconds(60), null));
        assertThat(why(job(LATER, edit -> edit.requests(held).due(null))))
                .isEqualTo(new Why("its next start falls into a pause that is planned by ann: audit", null, null));
        Requests later = Requests.NONE.withPause(new Pause("audit", "ann", LATER.plusSeconds(60), null));
        assertThat(why(job(LATER, edit -> edit.requests(later))).text()).startsWith("waits for its next fire");
    }

    @Test
    @DisplayName("40: of a lease that is over it is said that nobody recovers it, if the job has no due time")
    void leaseWithoutDueTime() {
        Lease over = new Lease("n0", 7, NOW.minusSeconds(60));
        assertThat(why(job(NOW, edit -> edit.lease(over).due(null))))
                .isEqualTo(new Why("has no due time", "/doctor", "see the doctor"));
        assertThat(why(job(NOW, edit -> edit.lease(over))).text())
                .isEqualTo("its node has ended without a result; another one claims it");
    }

    private static StoredJob of(StoredJob job, String... calendars) {
        return job.with(edit -> edit.specification(
                job.specification().toBuilder().calendars(calendars).build()));
    }
}
