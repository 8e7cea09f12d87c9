package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.Retention;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.Phase;
import dev.almanac.store.Requests;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule P6, decided: how a claim is released, and what the next claim makes of it. */
class ReleasedClaimTest {
    private static final Instant FIRE = NOW.minusSeconds(1);
    private static final DecisionContext CONTEXT =
            new DecisionContext(NOW, "n2", 0, SchedulerSettings.defaults(), Retention.DEFAULT);
    private static final FirePlanner PLANNER = States.planner(Map.of());
    private static final FireDecider DECIDER = new FireDecider(PLANNER);

    /** A one-off whose claim is the {@code claimSeq}-th, and whose {@code doneSeq}-th has a recorded outcome. */
    private static StoredJob claimed(long claimSeq, long doneSeq) {
        return Jobs.oneOff("k", FIRE)
                .with(edit -> edit.lease(new Lease("n2", claimSeq, NOW.plusSeconds(20)))
                        .due(NOW.plusSeconds(22))
                        .sequences(new Sequences(0, claimSeq, doneSeq, 0)));
    }

    private static StoredJob claimed() {
        return claimed(1, 0);
    }

    private static StoredJob asked(StoredJob job, Requests requests) {
        return job.with(edit -> edit.requests(requests));
    }

    private static StoredJob back(StoredJob job) {
        return Transitions.releaseClaim(job, CONTEXT).after();
    }

    private static JobExecutionStatus row(Outcome outcome, long claimSeq) {
        return Jobs.row("k", outcome, NOW.minusSeconds(60).plusSeconds(claimSeq))
                .claimSeq(claimSeq)
                .build();
    }

    @Test
    @DisplayName(
            "P6: an unstarted claim is released without a row: due at its fire, as a recorded outcome, and nothing else")
    void asItWas() {
        StoredJob job = claimed();
        JobChange change = Transitions.releaseClaim(job, CONTEXT);
        assertThat(change.before()).isEqualTo(job);
        assertThat(change.rows()).isEmpty();
        assertThat(change.after())
                .isEqualTo(job.with(edit -> edit.lease(null)
                        .due(FIRE)
                        .sequences(new Sequences(0, 1, 1, 0))
                        .revision(job.revision().raised())));
    }

    @Test
    @DisplayName("P6: the result of a run that was never started is a release")
    void unstarted() {
        RunResult unstarted =
                new RunResult(RunResult.Kind.UNSTARTED, null, NOW, null, null, null, null, RunResult.Left.NOTHING);
        assertThat(new CompletionDecider(PLANNER).decide(claimed(), unstarted, CONTEXT))
                .isEqualTo(Transitions.releaseClaim(claimed(), CONTEXT));
    }

    @Test
    @DisplayName("P6: a released retry, failure command or manual run is due when it was due before")
    void otherTimes() {
        Instant retry = NOW.minusMillis(5);
        assertThat(back(claimed().with(edit -> edit.plan(claimed().plan().retryAt(retry, null))))
                        .due())
                .isEqualTo(retry);
        assertThat(back(claimed().with(edit -> edit.phase(Phase.FAILURE))).due())
                .isEqualTo(FIRE);
        StoredJob asked = asked(claimed(), Requests.NONE.withRunNow(NOW));
        assertThat(back(asked).due()).isEqualTo(NOW);
        assertThat(back(asked.with(edit -> edit.phase(Phase.FAILURE))).due())
                .as("the failure command comes first")
                .isEqualTo(FIRE);
    }

    @Test
    @DisplayName("P6, P7: what users asked under the claim is kept; a pause decides when it is due")
    void requests() {
        Pause endless = new Pause("audit", "ops", null);
        Pause ending = new Pause("audit", "ops", NOW.plusSeconds(60));
        assertThat(back(asked(claimed(), Requests.NONE.withPause(endless))).due())
                .isNull();
        assertThat(back(asked(claimed(), Requests.NONE.withPause(ending))).due())
                .isEqualTo(ending.until());
        Requests cancel = Requests.NONE.cancel(true);
        assertThat(back(asked(claimed(), cancel)).isLive())
                .as("what is to be cancelled ends here")
                .isFalse();
        StoredJob unrecovered = back(asked(claimed(3, 1), cancel.withPause(endless)));
        assertThat(unrecovered.isLive()).as("and no pause keeps it alive").isFalse();
        Requests changed = Requests.NONE.withScheduleChanged(new ScheduleChange(NOW, NOW, null, true));
        assertThat(back(asked(claimed(), changed)).requests()).isEqualTo(changed);
    }

    @Test
    @DisplayName("P6, P5: a claim that has not recovered what it found leaves doneSeq; one that has does not")
    void recovery() {
        StoredJob found = claimed(4, 1);
        assertThat(back(found).sequences()).isEqualTo(found.sequences());
        assertThat(back(found).due()).isEqualTo(FIRE);
        StoredJob recovered =
                found.with(edit -> edit.sequences(found.sequences().recovered()));
        assertThat(back(recovered).sequences()).isEqualTo(new Sequences(0, 4, 4, 0, 1));
    }

    @ParameterizedTest
    @DisplayName(
            "R7: the abandonedLimit counts recoveries that ended without a recorded outcome, not claims that was released")
    @CsvSource({"0, false", "3, false", "4, true"})
    void limit(int recoveries, boolean failed) {
        StoredJob job = claimed(20, 1).with(edit -> edit.sequences(new Sequences(0, 20, 1, 0, recoveries)));
        Decision decision = DECIDER.decide(job, CONTEXT);
        assertThat(decision).isInstanceOf(failed ? Decision.Settle.class : Decision.Prepare.class);
    }

    @Test
    @DisplayName("P6, M3: after a release a changed schedule applies, and the old fire is not run")
    void changedSchedule() {
        Instant moved = NOW.plusSeconds(3_600);
        StoredJob job = claimed(2, 1)
                .with(edit -> edit.specification(
                                Jobs.specification("k").singleSchedule(moved).build())
                        .requests(Requests.NONE.withScheduleChanged(
                                new ScheduleChange(NOW.minusMillis(500), NOW.minusMillis(500), null, true))));
        assertThat(DECIDER.decide(job, CONTEXT)).isInstanceOfSatisfying(Decision.Settle.class, settle -> {
            StoredJob after = settle.change().after();
            assertThat(after.due()).isEqualTo(moved);
            assertThat(after.requests()).isEqualTo(Requests.NONE);
            assertThat(after.lastStatus().outcome()).isEqualTo(Outcome.REPLANNED);
        });
        StoredJob interrupted = job.with(edit -> edit.plan(job.plan().withRerun()));
        assertThat(DECIDER.decide(interrupted, CONTEXT)).isEqualTo(new Decision.Start(FIRE, false));
        StoredJob owing = job.with(edit -> edit.phase(Phase.FAILURE)
                .specification(job.specification().toBuilder()
                        .failureCommand(job.specification().triggerCommand())
                        .failureIdentifier("f")
                        .build()));
        assertThat(DECIDER.decide(owing, CONTEXT)).isEqualTo(new Decision.Start(FIRE, false));
    }

    @Test
    @DisplayName("P6, R7: startedSeq of an abandoned run stays with a released job, so that it is not run twice")
    void startedSeq() {
        StoredJob job = claimed(2, 0)
                .with(edit -> edit.specification(claimed().specification().toBuilder()
                                .crashPolicy(CrashPolicy.FAIL)
                                .build())
                        .sequences(new Sequences(0, 2, 0, 1)));
        StoredJob again = back(job)
                .with(edit -> edit.sequences(
                                new Sequences(0, 3, 0, back(job).sequences().startedSeq()))
                        .lease(new Lease("n3", 3, NOW.plus(Duration.ofSeconds(20)))));
        assertThat(DECIDER.decide(again, CONTEXT))
                .isInstanceOfSatisfying(
                        Decision.Settle.class,
                        settle -> assertThat(
                                        settle.change().after().lastStatus().outcome())
                                .isEqualTo(Outcome.CRASHED));
    }
}
