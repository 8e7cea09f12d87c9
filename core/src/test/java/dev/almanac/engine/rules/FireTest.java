package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static dev.almanac.engine.rules.States.FIRE;
import static dev.almanac.engine.rules.States.MOMENT;
import static dev.almanac.engine.rules.States.asked;
import static dev.almanac.engine.rules.States.claimed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of what a claim leads to: fires, missed fires, and what abandoned claims have left. */
class FireTest {
    private static final FireDecider DECIDER = new FireDecider(States.planner());

    /** The job as it is found so many hours after its planned fire. */
    private static StoredJob passed(StoredJob job, int hours) {
        Instant fire = NOW.minus(Duration.ofHours(hours));
        return job.with(edit -> edit.plan(job.plan().moveTo(fire, null, Jobs.basis(fire))));
    }

    private static StoredJob abandoned(StoredJob job) {
        return job.with(edit -> edit.sequences(new Sequences(0, 2, 0, 0)));
    }

    private static JobExecutionStatus row(Outcome outcome, long claim) {
        return Jobs.row("k", outcome, NOW.minusSeconds(40 - claim))
                .claimSeq(claim)
                .build();
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @DisplayName("R5, P5 to P8: what a claim leads to that found nothing abandoned")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly                 ; -               ; start
                    one-off                ; -               ; start
                    hourly                 ; cancel          ; settle: CANCELED/CANCELED -> finished
                    hourly                 ; cancel, pause   ; settle: CANCELED/CANCELED -> finished
                    hourly                 ; pause           ; settle: - -> held back
                    hourly                 ; run now         ; start by hand
                    hourly                 ; run now, pause  ; settle: - -> held back
                    hourly                 ; moved           ; settle: SCHEDULED/REPLANNED -> waiting 08:00
                    hourly at most once    ; -               ; prepare: - -> claimed
                    hourly elsewhere       ; -               ; hand back
                    hourly elsewhere       ; cancel          ; hand back
                    one-off owing          ; -               ; settle: FAILED/FAILURE_UNDELIVERED -> finished
                    one-off failing over owing; -            ; start
                    """)
    void table(String kind, String requests, String story) {
        assertThat(States.story(DECIDER.decide(asked(claimed(kind), requests), List.of(), MOMENT)))
                .isEqualTo(story);
    }

    @ParameterizedTest(name = "{0}, {1} h: {2}")
    @DisplayName("R4: fires that have passed, and the one that is run")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly                 ; 0 ; start                                     ; 0
                    hourly                 ; 1 ; prepare: SCHEDULED/MISSED -> claimed      ; 1
                    hourly                 ; 5 ; prepare: SCHEDULED/MISSED -> claimed      ; 5
                    hourly skip            ; 0 ; start                                     ; 0
                    hourly skip            ; 2 ; settle: SCHEDULED/MISSED -> waiting 09:00 ; 3
                    hourly skip bounded    ; 2 ; settle: FAILED/EXPIRED -> finished        ; 3
                    hourly run all         ; 2 ; start                                     ; 0
                    hourly run all         ; 3 ; prepare: SCHEDULED/MISSED -> claimed      ; 1
                    hourly run all         ; 9 ; prepare: SCHEDULED/MISSED -> claimed      ; 7
                    hourly, retried        ; 5 ; start                                     ; 0
                    hourly, put off        ; 5 ; start                                     ; 0
                    """)
    void missed(String kind, int hours, String story, long missed) {
        StoredJob job = passed(claimed(kind), hours);
        StoredJob retried = job.with(edit -> edit.plan(job.plan().retryAt(NOW, null)));
        StoredJob putOff = job.with(edit -> edit.plan(job.plan().postponedTo(NOW, null)));
        StoredJob begun = kind.contains("retried") ? retried : kind.contains("put off") ? putOff : job;
        Decision decision = DECIDER.decide(begun, List.of(), MOMENT);
        assertThat(States.story(decision)).isEqualTo(story);
        if (missed > 0) {
            assertThat(changeOf(decision).rows().get(0).missed().count()).isEqualTo(missed);
        }
    }

    private static JobChange changeOf(Decision decision) {
        return decision instanceof Decision.Prepare prepare ? prepare.change() : ((Decision.Settle) decision).change();
    }

    @Test
    @DisplayName("R4: missed fires that are on record are told once, whatever a user asks before the plan has moved")
    void toldOnce() {
        StoredJob job = passed(claimed("hourly"), 5);
        JobExecutionStatus told =
                changeOf(DECIDER.decide(job, List.of(), MOMENT)).rows().get(0);
        StoredJob asked = asked(job, "run now")
                .with(edit -> edit.specification(
                        job.specification().toBuilder().version(2).build()));
        Decision moved = DECIDER.decide(asked, List.of(told), MOMENT);
        assertThat(changeOf(moved).rows()).containsExactly(told);
        StoredJob after = changeOf(moved).after();
        assertThat(after.plan().nextFireTime()).isEqualTo(FIRE);
        assertThat(after.sequences().fireSeq()).isEqualTo(5);
        assertThat(States.story(DECIDER.decide(after, List.of(), MOMENT))).isEqualTo("start by hand");
        StoredJob newer = asked.with(edit ->
                edit.lastStatus(Jobs.row("k", Outcome.NONE, NOW.plusMillis(5)).build()));
        JobChange kept = changeOf(DECIDER.decide(newer, List.of(told), MOMENT));
        assertThat(kept.after().lastStatus()).isEqualTo(newer.lastStatus());
        assertThat(kept.stamp().isFor(told.id())).isTrue();
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @DisplayName("P5, R7: what follows an abandoned claim that left no row")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly               ; -             ; prepare: SCHEDULED/ABANDONED -> claimed, to run again
                    hourly               ; cancel        ; settle: SCHEDULED/ABANDONED, CANCELED/CANCELED -> finished
                    hourly               ; cancel, pause ; settle: SCHEDULED/ABANDONED, CANCELED/CANCELED -> finished
                    hourly               ; pause         ; settle: SCHEDULED/ABANDONED -> held back
                    hourly at most once  ; -             ; prepare: SCHEDULED/ABANDONED -> claimed
                    one-off failing over owing; -        ; prepare: SCHEDULED/ABANDONED -> claimed
                    hourly elsewhere     ; -             ; hand back
                    """)
    void abandonedTable(String kind, String requests, String story) {
        assertThat(States.story(DECIDER.decide(abandoned(asked(claimed(kind), requests)), List.of(), MOMENT)))
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
        assertThat(States.story(DECIDER.decide(abandoned(claimed(kind)), List.of(row(outcome, 1)), MOMENT)))
                .isEqualTo(story);
    }

    @Test
    @DisplayName("R4, R7: a fire that was abandoned is no missed fire: it runs again, then the others are judged")
    void rerunFirst() {
        StoredJob job = passed(abandoned(claimed("hourly")), 3);
        StoredJob marked = changeOf(DECIDER.decide(job, List.of(), MOMENT)).after();
        assertThat(States.story(DECIDER.decide(marked, List.of(), MOMENT))).isEqualTo("start");
        StoredJob back = Transitions.handBack(marked, MOMENT).after();
        assertThat(back.plan().rerun()).as("a hand-back keeps it").isTrue();
        StoredJob ended = new CompletionDecider(States.planner())
                .decide(
                        marked,
                        new RunResult(
                                RunResult.Kind.SUCCEEDED, NOW, NOW, null, null, null, null, RunResult.Left.NOTHING),
                        MOMENT,
                        List.of())
                .after();
        assertThat(ended.plan().rerun()).isFalse();
        StoredJob next = ended.with(edit -> edit.lease(States.LEASE).sequences(new Sequences(1, 3, 2, 0)));
        assertThat(States.story(DECIDER.decide(next, List.of(), MOMENT)))
                .isEqualTo("prepare: SCHEDULED/MISSED -> claimed");
    }

    @Test
    @DisplayName("R7: a claim that was prepared and went back says nothing of a helper that was called")
    void startedSeqOfOwnClaim() {
        StoredJob second = claimed("hourly at most once")
                .with(edit -> edit.sequences(new Sequences(0, 2, 0, 2)).lastStatus(row(Outcome.NONE, 2)));
        StoredJob back = Transitions.handBack(second, MOMENT).after();
        StoredJob third = back.with(edit -> edit.lease(States.LEASE)
                .sequences(new Sequences(
                        0, 3, back.sequences().doneSeq(), back.sequences().startedSeq())));
        assertThat(States.story(DECIDER.decide(third, List.of(), MOMENT)))
                .isEqualTo("prepare: SCHEDULED/ABANDONED -> claimed");
        StoredJob started = third.with(edit -> edit.sequences(new Sequences(0, 3, 0, 1)));
        assertThat(States.story(DECIDER.decide(started, List.of(), MOMENT)))
                .isEqualTo("settle: SCHEDULED/ABANDONED, FAILED/CRASHED -> waiting 09:00");
    }

    @ParameterizedTest
    @DisplayName("X5: a moment that lies outside of the lease is a clock that was set; nothing is decided by it")
    @CsvSource({
        "-90000, hand back",
        "-3, hand back",
        "-1, start",
        "0, start",
        "19, start",
        "21, hand back",
        "90000, hand back"
    })
    void doubtful(long seconds, String story) {
        SchedulerSettings settings = SchedulerSettings.defaults();
        Moment moment = new Moment(NOW.plusSeconds(seconds), "n2", 0, settings, MOMENT.retention());
        StoredJob job = claimed("one-off")
                .with(edit -> edit.lease(new Lease("n2", 7, NOW.plusSeconds(20)))
                        .plan(claimed("one-off").plan().retryAt(moment.now(), null)));
        assertThat(States.story(DECIDER.decide(job, List.of(), moment))).isEqualTo(story);
    }

    @Test
    @DisplayName("X6: a calendar that throws here leaves the job to others; a cron that nobody can read blocks it")
    void unplannable() {
        FireDecider throwing = new FireDecider(States.planner(Map.of("open", new Throwing())));
        assertThat(States.story(throwing.decide(claimed("hourly calendar"), List.of(), MOMENT)))
                .isEqualTo("hand back");
        StoredJob broken = claimed("hourly")
                .with(edit -> edit.specification(States.specification("hourly").toBuilder()
                        .schedulingSpecification("nonsense")
                        .build()));
        assertThat(States.story(DECIDER.decide(passed(broken, 3), List.of(), MOMENT)))
                .isEqualTo("settle: SCHEDULED/BLOCKED -> blocked");
    }

    private static final class Throwing implements dev.almanac.time.ExclusionCalendar {
        @Override
        public boolean isIncluded(Instant instant, java.time.ZoneId zone) {
            throw new IllegalStateException("out of order");
        }

        @Override
        public java.util.Optional<Instant> nextIncluded(Instant instant, java.time.ZoneId zone) {
            throw new IllegalStateException("out of order");
        }
    }
}
