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

import dev.almanac.model.Outcome;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
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
                    hourly elsewhere     ; cancel        ; settle: SCHEDULED/ABANDONED, CANCELED/CANCELED -> finished
                    """)
    void abandonedTable(String kind, String requests, String story) {
        assertThat(States.story(DECIDER.decide(abandoned(asked(claimed(kind), requests)), CONTEXT)))
                .isEqualTo(story);
    }

    @Test
    @DisplayName("R4, R7: a fire that was abandoned is no missed fire: it runs again, then the others are judged")
    void rerunFirst() {
        StoredJob job = passed(abandoned(claimed("hourly")), 3);
        StoredJob marked = changeOf(DECIDER.decide(job, CONTEXT)).after();
        assertThat(States.story(DECIDER.decide(marked, CONTEXT))).isEqualTo("start");
        StoredJob back = Transitions.releaseClaim(marked, CONTEXT).after();
        assertThat(back.plan().rerun()).as("a release keeps it").isTrue();
        StoredJob ended = new CompletionDecider(States.planner())
                .decide(
                        marked,
                        new RunResult(
                                RunResult.Kind.SUCCEEDED, NOW, NOW, null, null, null, null, RunResult.Left.NOTHING),
                        CONTEXT)
                .after();
        assertThat(ended.plan().rerun()).isFalse();
        StoredJob next = ended.with(edit -> edit.lease(States.LEASE).sequences(new Sequences(1, 3, 2, 0)));
        assertThat(States.story(DECIDER.decide(next, CONTEXT))).isEqualTo("prepare: SCHEDULED/MISSED -> claimed");
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
        assertThat(States.story(DECIDER.decide(third, CONTEXT))).isEqualTo("prepare: SCHEDULED/ABANDONED -> claimed");
        StoredJob started = third.with(edit -> edit.sequences(new Sequences(0, 3, 0, 1)));
        assertThat(States.story(DECIDER.decide(started, CONTEXT)))
                .isEqualTo("settle: SCHEDULED/ABANDONED, FAILED/CRASHED -> waiting 09:00");
        StoredJob own = third.with(edit -> edit.sequences(new Sequences(0, 3, 0, 3)));
        assertThat(States.story(DECIDER.decide(own, CONTEXT)))
                .as("decided again, after a user's change: its own helper was not called")
                .isEqualTo("prepare: SCHEDULED/ABANDONED -> claimed");
    }
}
