package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static dev.almanac.engine.rules.States.CONTEXT;
import static dev.almanac.engine.rules.States.abandoned;
import static dev.almanac.engine.rules.States.asked;
import static dev.almanac.engine.rules.States.changeOf;
import static dev.almanac.engine.rules.States.claimed;
import static dev.almanac.engine.rules.States.passed;
import static dev.almanac.engine.rules.States.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of what follows a claim that ended without a recorded outcome. */
class RecoveryTest {
    private static final FireDecider DECIDER = new FireDecider(States.planner());

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @DisplayName("P5, R7: what follows an abandoned claim that left no row")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly               ; -             ; prepare: SCHEDULED/ABANDONED -> claimed, to run again
                    hourly               ; cancel        ; settle: SCHEDULED/ABANDONED, CANCELED/CANCELED -> finished
                    hourly               ; cancel, pause ; settle: SCHEDULED/ABANDONED, CANCELED/CANCELED -> finished
                    hourly               ; pause         ; settle: SCHEDULED/ABANDONED -> held back
                    hourly at most once  ; -             ; prepare: SCHEDULED/ABANDONED -> claimed
                    one-off failing over owing; -        ; prepare: SCHEDULED/ABANDONED -> claimed
                    hourly elsewhere     ; -             ; release
                    """)
    void abandonedTable(String kind, String requests, String story) {
        assertThat(States.story(DECIDER.decide(abandoned(asked(claimed(kind), requests)), List.of(), CONTEXT)))
                .isEqualTo(story);
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @DisplayName("P5: what follows an abandoned claim whose row says how its run ended")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly         ; SUCCEEDED         ; settle: SCHEDULED/SUCCEEDED -> waiting 09:00
                    one-off        ; SUCCEEDED         ; settle: TRIGGERED/SUCCEEDED -> finished
                    hourly retries ; ATTEMPT_FAILED    ; settle: SCHEDULED/ATTEMPT_FAILED -> retrying 08:04
                    hourly         ; RETRIES_EXHAUSTED ; settle: FAILED/RETRIES_EXHAUSTED -> waiting 09:00
                    hourly         ; NON_RETRYABLE     ; settle: FAILED/NON_RETRYABLE -> waiting 09:00
                    hourly         ; CRASHED           ; settle: FAILED/CRASHED -> waiting 09:00
                    hourly         ; CANCELED          ; prepare: SCHEDULED/ABANDONED -> claimed, to run again
                    hourly         ; EXCLUDED          ; settle: SCHEDULED/EXCLUDED -> waiting 09:00
                    """)
    void recordedTable(String kind, Outcome outcome, String story) {
        assertThat(States.story(DECIDER.decide(abandoned(claimed(kind)), List.of(row(outcome, 1)), CONTEXT)))
                .isEqualTo(story);
    }

    @ParameterizedTest(name = "{0} of claim {1}, {2} of claim {3}: {4}")
    @DisplayName(
            "P5: of the rows of several claims, the newest of the abandoned ones counts, and no earlier or own one")
    @CsvSource(delimiter = ';', textBlock = """
                    SUCCEEDED ; 1 ; NONE          ; 0 ; prepare: SCHEDULED/ABANDONED -> claimed, to run again
                    SUCCEEDED ; 4 ; NONE          ; 0 ; prepare: SCHEDULED/ABANDONED -> claimed, to run again
                    SUCCEEDED ; 2 ; NON_RETRYABLE ; 1 ; settle: SCHEDULED/SUCCEEDED -> waiting 09:00
                    SUCCEEDED ; 2 ; NON_RETRYABLE ; 3 ; settle: FAILED/NON_RETRYABLE -> waiting 09:00
                    SUCCEEDED ; 3 ; NON_RETRYABLE ; 2 ; settle: SCHEDULED/SUCCEEDED -> waiting 09:00
                    SUCCEEDED ; 3 ; NON_RETRYABLE ; 4 ; settle: SCHEDULED/SUCCEEDED -> waiting 09:00
                    """)
    void whoseRow(Outcome one, long claim, Outcome other, long otherClaim, String story) {
        StoredJob fourth = claimed("hourly").with(edit -> edit.sequences(new Sequences(0, 4, 1, 0)));
        List<JobExecutionStatus> rows = List.of(row(one, claim), row(other, otherClaim));
        assertThat(States.story(DECIDER.decide(fourth, rows, CONTEXT))).isEqualTo(story);
    }

    @ParameterizedTest
    @CsvSource({"3, true", "2, false", "1, false", "13, false"})
    @DisplayName(
            "P4, P5: the row of an abandoned claim stays the newest only if its claim cannot have decided again since")
    void decidedAgain(long decidedOn, boolean stays) {
        StoredJob job = abandoned(claimed("hourly"))
                .with(edit -> edit.specification(
                        claimed("hourly").specification().toBuilder().version(3).build()));
        JobExecutionStatus written = row(Outcome.SUCCEEDED, 1).toBuilder()
                .id(job.id() + ":0:1:ended" + decidedOn)
                .nextFireTime(NOW.plusSeconds(3_600))
                .build();
        JobChange change = changeOf(DECIDER.decide(job, List.of(written), CONTEXT));
        JobExecutionStatus newest = change.after().lastStatus();
        assertThat(newest.outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(change.rows()).containsExactly(newest);
        assertThat(newest.equals(written)).isEqualTo(stays);
        assertThat(newest.claimSeq()).isEqualTo(stays ? 1 : 2);
    }

    @Test
    @DisplayName("R4, R7: a fire that was abandoned is no missed fire: it runs again, then the others are judged")
    void rerunFirst() {
        StoredJob job = passed(abandoned(claimed("hourly")), 3);
        StoredJob marked = changeOf(DECIDER.decide(job, List.of(), CONTEXT)).after();
        assertThat(States.story(DECIDER.decide(marked, List.of(), CONTEXT))).isEqualTo("start");
        StoredJob back = Transitions.releaseClaim(marked, CONTEXT).after();
        assertThat(back.plan().rerun()).as("a release keeps it").isTrue();
        StoredJob ended = new CompletionDecider(States.planner())
                .decide(
                        marked,
                        new RunResult(
                                RunResult.Kind.SUCCEEDED, NOW, NOW, null, null, null, null, RunResult.Left.NOTHING),
                        CONTEXT,
                        List.of())
                .after();
        assertThat(ended.plan().rerun()).isFalse();
        StoredJob next = ended.with(edit -> edit.lease(States.LEASE).sequences(new Sequences(1, 3, 2, 0)));
        assertThat(States.story(DECIDER.decide(next, List.of(), CONTEXT)))
                .isEqualTo("prepare: SCHEDULED/MISSED -> claimed");
    }

    @Test
    @DisplayName("R7: a claim that was prepared and released does not show that a helper was called")
    void startedSeqOfOwnClaim() {
        StoredJob second = claimed("hourly at most once")
                .with(edit -> edit.sequences(new Sequences(0, 2, 0, 2)).lastStatus(row(Outcome.NONE, 2)));
        StoredJob back = Transitions.releaseClaim(second, CONTEXT).after();
        StoredJob third = back.with(edit -> edit.lease(States.LEASE)
                .sequences(new Sequences(
                        0, 3, back.sequences().doneSeq(), back.sequences().startedSeq())));
        assertThat(States.story(DECIDER.decide(third, List.of(), CONTEXT)))
                .isEqualTo("prepare: SCHEDULED/ABANDONED -> claimed");
        StoredJob started = third.with(edit -> edit.sequences(new Sequences(0, 3, 0, 1)));
        assertThat(States.story(DECIDER.decide(started, List.of(), CONTEXT)))
                .isEqualTo("settle: SCHEDULED/ABANDONED, FAILED/CRASHED -> waiting 09:00");
        StoredJob own = third.with(edit -> edit.sequences(new Sequences(0, 3, 0, 3)));
        assertThat(States.story(DECIDER.decide(own, List.of(), CONTEXT)))
                .as("decided again, after a user's change: its own helper was not called")
                .isEqualTo("prepare: SCHEDULED/ABANDONED -> claimed");
    }
}
