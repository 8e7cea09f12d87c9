package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static dev.almanac.engine.rules.States.CONTEXT;
import static dev.almanac.engine.rules.States.FIRE;
import static dev.almanac.engine.rules.States.asked;
import static dev.almanac.engine.rules.States.claimed;
import static dev.almanac.engine.rules.States.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of how runs end: state of the job, requests of users, result of the run, and what follows. */
class CompletionTest {
    private static final CompletionDecider DECIDER = new CompletionDecider(States.planner());

    private static final ExclusionCalendar CLOSED = new ExclusionCalendar() {
        @Override
        public boolean isIncluded(Instant instant, ZoneId jobZone) {
            return false;
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
            return Optional.empty();
        }
    };

    private static JobChange decide(StoredJob job, RunResult.Kind kind) {
        return DECIDER.decide(job, result(kind, job.requests().runNowRequested()), CONTEXT);
    }

    @ParameterizedTest(name = "{0}, {1}, {2}: {3}")
    @DisplayName("P4, R5 to R7: what follows the end of a run")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly            ; -         ; SUCCEEDED       ; SCHEDULED/SUCCEEDED -> waiting 09:00
                    hourly bounded    ; -         ; SUCCEEDED       ; TRIGGERED/SUCCEEDED -> finished
                    one-off           ; -         ; SUCCEEDED       ; TRIGGERED/SUCCEEDED -> finished
                    hourly            ; cancel    ; SUCCEEDED       ; SCHEDULED/SUCCEEDED, CANCELED/CANCELED -> finished
                    hourly            ; pause     ; SUCCEEDED       ; SCHEDULED/SUCCEEDED -> held back
                    hourly            ; run now   ; SUCCEEDED       ; SCHEDULED/SUCCEEDED -> waiting 08:00
                    hourly            ; moved     ; SUCCEEDED       ; SCHEDULED/SUCCEEDED -> waiting 09:00
                    hourly            ; interrupt ; SUCCEEDED       ; SCHEDULED/SUCCEEDED, CANCELED/CANCELED -> finished
                    hourly            ; -         ; FAILED          ; FAILED/RETRIES_EXHAUSTED -> waiting 09:00
                    hourly retries    ; -         ; FAILED          ; SCHEDULED/ATTEMPT_FAILED -> retrying 08:05
                    hourly retries retried; -     ; FAILED          ; FAILED/RETRIES_EXHAUSTED -> waiting 09:00
                    hourly retries    ; cancel    ; FAILED          ; SCHEDULED/ATTEMPT_FAILED, CANCELED/CANCELED -> finished
                    hourly retries    ; moved     ; FAILED          ; SCHEDULED/ATTEMPT_FAILED -> retrying 08:05
                    one-off           ; -         ; FAILED          ; FAILED/RETRIES_EXHAUSTED -> finished
                    one-off failing over; -       ; FAILED          ; FAILED/RETRIES_EXHAUSTED -> owing 08:00
                    one-off failing over; cancel  ; FAILED          ; FAILED/RETRIES_EXHAUSTED -> finished
                    hourly retries    ; -         ; FAILED_FOR_GOOD ; FAILED/NON_RETRYABLE -> waiting 09:00
                    one-off failing over; -       ; FAILED_FOR_GOOD ; FAILED/NON_RETRYABLE -> owing 08:00
                    one-off failing over owing; - ; SUCCEEDED       ; FAILED/FAILURE_DELIVERED -> finished
                    hourly failing over owing; -  ; SUCCEEDED       ; FAILED/FAILURE_DELIVERED -> waiting 09:00
                    hourly failing over owing; -  ; FAILED          ; SCHEDULED/ATTEMPT_FAILED -> owing 08:00
                    hourly failing over owing; -  ; FAILED_FOR_GOOD ; FAILED/FAILURE_UNDELIVERED -> waiting 09:00
                    hourly            ; run now   ; FAILED          ; SCHEDULED/ATTEMPT_FAILED -> waiting 08:00
                    hourly retries    ; interrupt ; FAILED          ; CANCELED/INTERRUPTED -> finished
                    hourly retries    ; interrupt ; FAILED_FOR_GOOD ; CANCELED/INTERRUPTED -> finished
                    one-off failing over; interrupt; FAILED         ; CANCELED/INTERRUPTED -> finished
                    hourly            ; interrupt, taken back; FAILED; SCHEDULED/ABANDONED -> to run again 08:00
                    hourly at most once; interrupt, taken back; FAILED; FAILED/CRASHED -> waiting 09:00
                    hourly            ; interrupt, taken back; FAILED_FOR_GOOD; FAILED/NON_RETRYABLE -> waiting 09:00
                    hourly at most once; interrupt, taken back; FAILED_FOR_GOOD; FAILED/NON_RETRYABLE -> waiting 09:00
                    hourly            ; interrupt, taken back; SKIPPED; SCHEDULED/SKIPPED -> waiting 09:00
                    hourly            ; interrupt, taken back; POSTPONED; SCHEDULED/POSTPONED -> put off 08:30
                    hourly            ; -         ; SHUT_DOWN       ; SCHEDULED/ABANDONED -> to run again 08:00
                    hourly at most once; -        ; SHUT_DOWN       ; FAILED/CRASHED -> waiting 09:00
                    hourly            ; pause     ; SHUT_DOWN       ; SCHEDULED/ABANDONED -> held back
                    hourly            ; cancel    ; SHUT_DOWN       ; SCHEDULED/ABANDONED, CANCELED/CANCELED -> finished
                    hourly            ; -         ; UNSTARTED       ; - -> waiting 08:00
                    hourly            ; pause     ; UNSTARTED       ; - -> held back
                    hourly            ; cancel    ; UNSTARTED       ; CANCELED/CANCELED -> finished
                    hourly            ; cancel, pause; UNSTARTED    ; CANCELED/CANCELED -> finished
                    hourly            ; -         ; SKIPPED         ; SCHEDULED/SKIPPED -> waiting 09:00
                    hourly bounded    ; -         ; SKIPPED         ; TRIGGERED/SKIPPED -> finished
                    one-off           ; -         ; SKIPPED         ; TRIGGERED/SKIPPED -> finished
                    one-off failing over; -       ; SKIPPED         ; TRIGGERED/SKIPPED -> finished
                    hourly retries retried; -     ; SKIPPED         ; SCHEDULED/SKIPPED -> waiting 09:00
                    hourly            ; cancel    ; SKIPPED         ; SCHEDULED/SKIPPED, CANCELED/CANCELED -> finished
                    hourly            ; pause     ; SKIPPED         ; SCHEDULED/SKIPPED -> held back
                    hourly            ; run now   ; SKIPPED         ; SCHEDULED/SKIPPED -> waiting 08:00
                    hourly            ; moved     ; SKIPPED         ; SCHEDULED/SKIPPED -> waiting 09:00
                    hourly            ; interrupt ; SKIPPED         ; CANCELED/INTERRUPTED -> finished
                    hourly elsewhere  ; -         ; SKIPPED         ; SCHEDULED/SKIPPED -> waiting 08:00 to be planned
                    hourly failing over owing; -  ; SKIPPED         ; FAILED/FAILURE_UNDELIVERED -> waiting 09:00
                    hourly            ; -         ; POSTPONED       ; SCHEDULED/POSTPONED -> put off 08:30
                    one-off           ; -         ; POSTPONED       ; SCHEDULED/POSTPONED -> put off 08:30
                    hourly retries retried; -     ; POSTPONED       ; SCHEDULED/POSTPONED -> retrying 08:30
                    hourly            ; cancel    ; POSTPONED       ; SCHEDULED/POSTPONED, CANCELED/CANCELED -> finished
                    hourly            ; pause     ; POSTPONED       ; SCHEDULED/POSTPONED -> held back
                    hourly            ; run now   ; POSTPONED       ; SCHEDULED/POSTPONED -> waiting 08:00
                    hourly            ; moved     ; POSTPONED       ; SCHEDULED/POSTPONED -> put off 08:30
                    hourly            ; interrupt ; POSTPONED       ; CANCELED/INTERRUPTED -> finished
                    hourly elsewhere  ; -         ; POSTPONED       ; SCHEDULED/POSTPONED -> put off 08:30
                    hourly failing over owing; -  ; POSTPONED       ; SCHEDULED/POSTPONED -> owing 08:30
                    hourly worn out   ; -         ; POSTPONED       ; FAILED/RETRIES_EXHAUSTED -> waiting 09:00
                    hourly retries worn out; -    ; POSTPONED       ; SCHEDULED/ATTEMPT_FAILED -> retrying 08:05
                    hourly giving up  ; -         ; FAILED          ; FAILED/RETRIES_EXHAUSTED, SCHEDULED/PAUSED -> held back
                    hourly giving up  ; -         ; FAILED_FOR_GOOD ; FAILED/NON_RETRYABLE, SCHEDULED/PAUSED -> held back
                    hourly giving up  ; -         ; SUCCEEDED       ; SCHEDULED/SUCCEEDED -> waiting 09:00
                    hourly giving up  ; -         ; SKIPPED         ; SCHEDULED/SKIPPED -> waiting 09:00
                    hourly giving up  ; pause     ; FAILED          ; FAILED/RETRIES_EXHAUSTED -> held back
                    hourly giving up  ; cancel    ; FAILED          ; FAILED/RETRIES_EXHAUSTED, CANCELED/CANCELED -> finished
                    hourly giving up  ; run now   ; FAILED          ; SCHEDULED/ATTEMPT_FAILED -> waiting 08:00
                    hourly giving up retries; -   ; FAILED          ; SCHEDULED/ATTEMPT_FAILED -> retrying 08:05
                    hourly giving up failing over; - ; FAILED       ; FAILED/RETRIES_EXHAUSTED -> owing 08:00
                    hourly giving up failing over owing; -; SUCCEEDED; FAILED/FAILURE_DELIVERED, SCHEDULED/PAUSED -> held back
                    hourly elsewhere  ; -         ; SUCCEEDED       ; SCHEDULED/SUCCEEDED -> waiting 08:00 to be planned
                    hourly elsewhere  ; -         ; FAILED          ; FAILED/RETRIES_EXHAUSTED -> waiting 08:00 to be planned
                    hourly elsewhere  ; cancel    ; SUCCEEDED       ; SCHEDULED/SUCCEEDED, CANCELED/CANCELED -> finished
                    hourly elsewhere  ; pause     ; SUCCEEDED       ; SCHEDULED/SUCCEEDED -> held back to be planned
                    hourly elsewhere retries; -   ; FAILED          ; SCHEDULED/ATTEMPT_FAILED -> retrying 08:05
                    hourly elsewhere  ; moved     ; SUCCEEDED       ; SCHEDULED/SUCCEEDED -> waiting 08:00 to be planned
                    """)
    void table(String kind, String requests, RunResult.Kind kindOfResult, String story) {
        assertThat(States.story(decide(asked(claimed(kind), requests), kindOfResult)))
                .isEqualTo(story);
    }

    private static RunResult leaving(RunResult.Kind kind, Map<String, Object> state) {
        RunResult plain = result(kind, false);
        return new RunResult(
                kind,
                plain.startedTime(),
                NOW,
                null,
                null,
                plain.error(),
                null,
                new RunResult.Left(state, "half way", null, null));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @DisplayName("row and document carry what the run has set, however it ended; a further row does not")
    @CsvSource({
        "hourly, SUCCEEDED",
        "hourly retries, FAILED",
        "hourly, FAILED",
        "hourly, FAILED_FOR_GOOD",
        "hourly, SHUT_DOWN",
        "hourly elsewhere, SUCCEEDED",
        "one-off, SUCCEEDED",
        "one-off failing over, FAILED"
    })
    void stateOfRun(String kind, RunResult.Kind kindOfResult) {
        Map<String, Object> state = Map.of("cursor", 7);
        StoredJob before = claimed(kind).with(edit -> edit.state(Map.of("cursor", 6)));
        JobChange change = DECIDER.decide(before, leaving(kindOfResult, state), CONTEXT);
        assertThat(change.after().state()).isEqualTo(state);
        assertThat(change.rows().get(0).state()).isEqualTo(state);
        assertThat(change.rows().get(0).note()).isEqualTo("half way");
        assertThat(change.rows().subList(1, change.rows().size()))
                .allSatisfy(row -> assertThat(row.state()).isNull());
        JobChange silent = DECIDER.decide(before, result(kindOfResult, false), CONTEXT);
        assertThat(silent.after().state()).isEqualTo(Map.of("cursor", 6));
        assertThat(silent.rows()).allSatisfy(row -> assertThat(row.state()).isNull());
    }

    @Test
    @DisplayName("an empty state removes it, and the row says so; the same state again costs the row nothing")
    void stateRemoved() {
        StoredJob before = claimed("hourly").with(edit -> edit.state(Map.of("cursor", 6)));
        JobChange removed = DECIDER.decide(before, leaving(RunResult.Kind.SUCCEEDED, Map.of()), CONTEXT);
        assertThat(removed.after().state()).isEmpty();
        assertThat(removed.rows().get(0).state()).isEmpty();
        JobChange same = DECIDER.decide(before, leaving(RunResult.Kind.SUCCEEDED, Map.of("cursor", 6)), CONTEXT);
        assertThat(same.after().state()).isEqualTo(Map.of("cursor", 6));
        assertThat(same.rows().get(0).state()).isNull();
    }

    @Test
    @DisplayName("X6: what was recorded without a plan is moved on by a node that can plan it, and nothing is run")
    void plannedElsewhere() {
        StoredJob left =
                decide(claimed("hourly elsewhere"), RunResult.Kind.SUCCEEDED).after();
        StoredJob again = left.with(
                edit -> edit.lease(States.LEASE).sequences(left.sequences().claimed()));
        assertThat(States.story(new FireDecider(States.planner()).decide(again, CONTEXT)))
                .isEqualTo("release");
        FireDecider able = new FireDecider(States.planner(Map.of("elsewhere", States.OPEN)));
        Decision moved = able.decide(again, CONTEXT);
        assertThat(States.story(moved)).isEqualTo("settle: SCHEDULED/REPLANNED -> waiting 09:00");
        JobChange change = ((Decision.Settle) moved).change();
        assertThat(change.after().plan().previousGoodRun()).isEqualTo(FIRE);
    }

    @Test
    @DisplayName(
            "N8 S19: an attempt that has lost its retry when what follows it is planned is a failed fire with a row")
    void failedAtPlanning() {
        JobExecutionStatus attempt =
                decide(claimed("hourly retries"), RunResult.Kind.FAILED).after().lastStatus();
        assertThat(attempt.outcome()).isEqualTo(Outcome.ATTEMPT_FAILED);
        StoredJob without = claimed("hourly").with(edit -> edit.verdict(attempt).lastStatus(attempt));
        Decision moved = new FireDecider(States.planner()).decide(without, CONTEXT);
        assertThat(States.story(moved)).isEqualTo("settle: FAILED/RETRIES_EXHAUSTED -> waiting 09:00");
        JobChange change = ((Decision.Settle) moved).change();
        assertThat(change.after().plan().failuresInARow()).isEqualTo(1);
        assertThat(change.rows().get(0).isFailedFire()).isTrue();
        assertThat(change.rows().get(0).startedTime())
                .as("the run is on record")
                .isNull();
    }

    @Test
    @DisplayName("N8: an end that is decided without calendars stands, and is to be planned if a calendar concerns it")
    void withoutCalendars() {
        JobChange left = CompletionDecider.WITHOUT_CALENDARS.decide(
                claimed("hourly calendar"), result(RunResult.Kind.SUCCEEDED, false), CONTEXT);
        assertThat(States.story(left)).isEqualTo("SCHEDULED/SUCCEEDED -> waiting 08:00 to be planned");
        JobChange plain = CompletionDecider.WITHOUT_CALENDARS.decide(
                claimed("hourly"), result(RunResult.Kind.SUCCEEDED, false), CONTEXT);
        assertThat(States.story(plain)).isEqualTo("SCHEDULED/SUCCEEDED -> waiting 09:00");
    }

    @Test
    @DisplayName("X6: a plan that no version could make blocks the job, and the run before it is on record")
    void unreadable() {
        StoredJob broken = claimed("hourly")
                .with(edit -> edit.specification(States.specification("hourly").toBuilder()
                        .schedulingSpecification("nonsense")
                        .build()));
        assertThat(States.story(decide(broken, RunResult.Kind.SUCCEEDED)))
                .as("its fire is not planned again by an update")
                .isEqualTo("SCHEDULED/SUCCEEDED, SCHEDULED/BLOCKED -> blocked to be planned");
    }

    @Test
    @DisplayName("R6: the failure command is due at once, with the reason, and with a verdict of lateness of its own")
    void owing() {
        StoredJob job = claimed("hourly failing over");
        StoredJob late = job.with(edit -> edit.plan(job.plan().retryAt(FIRE, Duration.ofMinutes(3))));
        StoredJob owing = decide(late, RunResult.Kind.FAILED).after();
        assertThat(owing.plan().startTime()).isEqualTo(NOW);
        assertThat(owing.plan().overThreshold()).isNull();
        assertThat(owing.plan().failure()).isEqualTo(new ErrorSummary("E", "boom", null));
        assertThat(decide(owing.with(edit -> edit.lease(States.LEASE)), RunResult.Kind.SUCCEEDED)
                        .after()
                        .plan()
                        .failure())
                .as("nothing is owed any more")
                .isNull();
    }

    @Test
    @DisplayName("L45: a run that is asked for while one by hand is under way follows it")
    void askedAgain() {
        StoredJob job = asked(claimed("hourly"), "run now");
        RunResult first = result(RunResult.Kind.SUCCEEDED, true);
        assertThat(DECIDER.decide(job, first, CONTEXT).after().requests().runNow())
                .as("that run is over")
                .isNull();
        Instant later = NOW.minusSeconds(1);
        StoredJob again = job.with(edit -> edit.requests(job.requests().withRunNow(later)));
        JobChange change = DECIDER.decide(again, first, CONTEXT);
        assertThat(change.after().requests().runNow()).isEqualTo(later);
        assertThat(change.after().due()).isEqualTo(NOW);
        assertThat(change.rows().get(0).fireTime())
                .as("the row names the moment that the helper was told")
                .isEqualTo(NOW.minusSeconds(2));
    }

    @Test
    @DisplayName("S19, N8: a fire that failed for good is open from its end, is counted once, and stays acknowledged")
    void openWhileUnplanned() {
        StoredJob failed = decide(claimed("hourly elsewhere giving up"), RunResult.Kind.FAILED)
                .after();
        assertThat(failed.isUnplanned()).isTrue();
        assertThat(failed.plan().failuresInARow()).as("two before").isEqualTo(3);
        StoredJob planned = plannedHere(failed);
        assertThat(planned.plan().failuresInARow()).isEqualTo(3);
        assertThat(planned.requests().pause()).isNotNull();
        StoredJob acknowledged = failed.with(edit -> edit.plan(failed.plan().failedInARow(0)));
        assertThat(plannedHere(acknowledged).plan().failuresInARow()).isZero();
        assertThat(plannedHere(acknowledged).requests().pause()).isNull();
        StoredJob good = decide(claimed("hourly elsewhere giving up"), RunResult.Kind.SUCCEEDED)
                .after();
        assertThat(good.plan().failuresInARow()).isZero();
        StoredJob retried = decide(claimed("hourly elsewhere retries giving up"), RunResult.Kind.FAILED)
                .after();
        assertThat(retried.plan().failuresInARow()).as("it is retried").isEqualTo(2);
    }

    /** The same job, claimed where its calendars are known. */
    private static StoredJob plannedHere(StoredJob unplanned) {
        StoredJob known = claimed("hourly giving up")
                .with(edit ->
                        edit.plan(unplanned.plan()).verdict(unplanned.verdict()).lastStatus(unplanned.lastStatus()));
        return States.changeOf(new FireDecider(States.planner()).decide(known, CONTEXT))
                .after();
    }
}
