package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static dev.almanac.engine.rules.States.CONTEXT;
import static dev.almanac.engine.rules.States.asked;
import static dev.almanac.engine.rules.States.claimed;
import static dev.almanac.engine.rules.States.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.Retention;
import dev.almanac.model.StoredFields;
import dev.almanac.store.JobChange;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CronDialect;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of ends that have follow-ups: which ones, and what follows when the follow-ups are stored. */
class FollowTest {
    private static final CompletionDecider COMPLETION = new CompletionDecider(States.planner());
    private static final FollowDecider DECIDER = new FollowDecider(COMPLETION);

    private static JobChange end(StoredJob job, RunResult.Kind kind) {
        return COMPLETION.decide(job, result(kind, job.requests().runNowRequested()), CONTEXT);
    }

    @ParameterizedTest(name = "{0}, {1}, {2}: {3}")
    @DisplayName("16: the verdict of an end that has follow-ups is written first, and keeps the claim")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly on success             ; -         ; SUCCEEDED       ; SUCCEEDED
                    one-off on success            ; -         ; SUCCEEDED       ; SUCCEEDED
                    hourly on success             ; run now   ; SUCCEEDED       ; SUCCEEDED
                    hourly on success             ; cancel    ; SUCCEEDED       ; SUCCEEDED
                    hourly on success             ; -         ; FAILED          ; -
                    hourly on success             ; -         ; SKIPPED         ; -
                    hourly on success             ; -         ; POSTPONED       ; -
                    hourly on success             ; -         ; UNSTARTED       ; -
                    hourly on success             ; -         ; SHUT_DOWN       ; -
                    hourly on failure             ; -         ; SUCCEEDED       ; -
                    hourly on failure             ; -         ; FAILED          ; RETRIES_EXHAUSTED
                    one-off on failure            ; -         ; FAILED_FOR_GOOD ; NON_RETRYABLE
                    hourly on failure retries     ; -         ; FAILED          ; -
                    hourly on failure             ; cancel    ; FAILED          ; -
                    hourly on failure             ; interrupt ; FAILED          ; -
                    hourly on failure at most once; -         ; SHUT_DOWN       ; CRASHED
                    hourly on failure             ; -         ; SHUT_DOWN       ; -
                    one-off failing over on failure owing; -  ; FAILED_FOR_GOOD ; -
                    """)
    void verdicts(String kind, String requests, RunResult.Kind end, String verdict) {
        JobChange change = end(asked(claimed(kind), requests), end);
        boolean follows = change.after().phase() == Phase.FOLLOW;
        assertThat(follows ? change.after().verdict().outcome().name() : "-").isEqualTo(verdict);
        if (follows) {
            assertThat(States.story(change)).isEqualTo("- -> claimed");
            assertThat(change.after().sequences().doneSeq()).isZero();
            assertThat(change.after().plan()).isEqualTo(change.before().plan());
        } else {
            assertThat(change.after().verdict()).isNull();
        }
    }

    @ParameterizedTest(name = "{0}, {1}, {2}, refused {3}: {4}")
    @DisplayName("16: when the follow-ups are stored, the job goes on as the verdict says, whatever users asked since")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly on success              ; -      ; SUCCEEDED ; 0 ; SCHEDULED/SUCCEEDED -> waiting 09:00
                    one-off on success             ; -      ; SUCCEEDED ; 0 ; TRIGGERED/SUCCEEDED -> finished
                    hourly on failure              ; -      ; FAILED    ; 0 ; FAILED/RETRIES_EXHAUSTED -> waiting 09:00
                    one-off on failure failing over; -      ; FAILED    ; 0 ; FAILED/RETRIES_EXHAUSTED -> owing 08:00
                    hourly on success              ; cancel ; SUCCEEDED ; 0 ; SCHEDULED/SUCCEEDED, CANCELED/CANCELED -> finished
                    hourly on success              ; pause  ; SUCCEEDED ; 0 ; SCHEDULED/SUCCEEDED -> held back
                    hourly on success              ; moved  ; SUCCEEDED ; 0 ; SCHEDULED/SUCCEEDED -> waiting 09:00
                    hourly on success              ; -      ; SUCCEEDED ; 1 ; SCHEDULED/FOLLOW_UP_REFUSED, SCHEDULED/SUCCEEDED -> waiting 09:00
                    one-off on success             ; -      ; SUCCEEDED ; 2 ; SCHEDULED/FOLLOW_UP_REFUSED, SCHEDULED/FOLLOW_UP_REFUSED, TRIGGERED/SUCCEEDED -> finished
                    hourly on success elsewhere    ; -      ; SUCCEEDED ; 0 ; SCHEDULED/SUCCEEDED -> waiting 08:00 to be planned
                    """)
    void followed(String kind, String requests, RunResult.Kind end, int refused, String story) {
        StoredJob judged = end(claimed(kind), end).after();
        List<String> refusals =
                List.of("its key is taken", "its calendar is gone").subList(0, refused);
        JobChange change = DECIDER.followed(asked(judged, requests), refusals, CONTEXT);
        assertThat(States.story(change)).isEqualTo(story);
        assertThat(change.after().isUnplanned())
                .as("what cannot be planned here keeps its verdict")
                .isEqualTo(kind.contains("elsewhere"));
        assertThat(change.rows())
                .filteredOn(row -> row.outcome() == judged.verdict().outcome())
                .containsExactly(change.rows().get(refused));
    }

    @Test
    @DisplayName("16: keys and identifiers of follow-ups hold the key, the fire and the claim; other braces stay")
    void templates() {
        JobSpecification job = Jobs.specification("k").build();
        JobSpecification followUp = Jobs.specification("{key} {fireTime} {claim} {other} {")
                .triggerIdentifier("{claim}{key}")
                .build();
        JobSpecification stored = FollowUps.filledIn(
                followUp, job, Jobs.row("k", Outcome.SUCCEEDED, NOW).claimSeq(7).build());
        assertThat(stored.jobSpecificationKey()).isEqualTo("k " + NOW + " 7 {other} {");
        assertThat(stored.triggerIdentifier()).isEqualTo("7k");
        assertThat(FollowUps.unknownTemplates("{key} {other} {")).containsExactly("{other}");
    }

    @Test
    @DisplayName(
            "16: of a manual run, the row of a refused follow-up names the moment of the request, as that of its end")
    void refusedAfterManualRun() {
        StoredJob judged = end(asked(claimed("hourly on success"), "run now"), RunResult.Kind.SUCCEEDED)
                .after();
        JobChange change = DECIDER.followed(judged, List.of("its key is taken"), CONTEXT);
        assertThat(change.rows()).hasSize(2);
        assertThat(change.rows().get(0).manual()).isTrue();
        assertThat(change.rows().get(0).fireTime())
                .isEqualTo(change.rows().get(1).fireTime())
                .isNotEqualTo(judged.plan().nextFireTime());
    }

    @Test
    @DisplayName("16, N8: a fire that fails for good when what follows its run is planned has its follow-ups, once")
    void failedAtPlanning() {
        JobExecutionStatus attempt = end(claimed("hourly on failure retries"), RunResult.Kind.FAILED)
                .after()
                .lastStatus();
        assertThat(attempt.outcome()).isEqualTo(Outcome.ATTEMPT_FAILED);
        StoredJob without =
                claimed("hourly on failure").with(edit -> edit.verdict(attempt).lastStatus(attempt));
        FireDecider fires = new FireDecider(States.planner());
        StoredJob judged =
                ((Decision.Prepare) fires.decide(without, CONTEXT)).change().after();
        assertThat(judged.phase()).isEqualTo(Phase.FOLLOW);
        assertThat(judged.verdict().outcome()).isEqualTo(Outcome.RETRIES_EXHAUSTED);
        assertThat(fires.decide(judged, CONTEXT)).isInstanceOf(Decision.Follow.class);
        assertThat(States.story(DECIDER.followed(judged, List.of(), CONTEXT)))
                .isEqualTo("FAILED/RETRIES_EXHAUSTED -> waiting 09:00");
    }

    @Test
    @DisplayName("16, N8: an end whose follow-ups were stored calls none when what follows it is planned")
    void plannedLater() {
        StoredJob judged = end(claimed("hourly on success elsewhere"), RunResult.Kind.SUCCEEDED)
                .after();
        StoredJob unplanned = DECIDER.followed(judged, List.of(), CONTEXT).after();
        assertThat(unplanned.isUnplanned()).isTrue();
        StoredJob known = claimed("hourly on success")
                .with(edit -> edit.verdict(unplanned.verdict()).lastStatus(unplanned.lastStatus()));
        assertThat(States.story(new FireDecider(States.planner()).decide(known, CONTEXT)))
                .isEqualTo("settle: SCHEDULED/REPLANNED -> waiting 09:00");
    }

    @Test
    @DisplayName("16, N8: follow-ups that are owed wait for no pause of their job")
    void paused() {
        StoredJob judged =
                end(claimed("hourly on success"), RunResult.Kind.SUCCEEDED).after();
        StoredJob released =
                Transitions.releaseClaim(asked(judged, "pause"), CONTEXT).after();
        assertThat(released.due()).isEqualTo(judged.verdict().updatedTime());
        StoredJob free = judged.with(edit -> edit.lease(null).due(null));
        JobChange pause = RequestDecider.pause(free, new Pause("why", "who", null), CONTEXT);
        assertThat(pause.after().due()).isEqualTo(NOW);
        StoredJob ended =
                DECIDER.followed(asked(judged, "pause"), List.of(), CONTEXT).after();
        assertThat(ended.due()).as("the next fire waits").isNull();
    }

    @Test
    @DisplayName("16, N8: a successor stores the follow-ups though it does not know the calendars of the job")
    void successorWithoutCalendars() {
        StoredJob judged = end(claimed("hourly on success elsewhere"), RunResult.Kind.SUCCEEDED)
                .after();
        FireDecider fires = new FireDecider(States.planner());
        assertThat(fires.decide(judged, CONTEXT)).isInstanceOf(Decision.Follow.class);
        assertThat(fires.decide(asked(judged, "cancel"), CONTEXT)).isInstanceOf(Decision.Follow.class);
    }

    @ParameterizedTest(name = "started here: {0}")
    @DisplayName("X9, 16: a cancelled job whose completion the server refuses keeps the row of its run")
    @ValueSource(booleans = {true, false})
    void refusedCompletion(boolean started) {
        StoredJob judged = asked(
                end(claimed("hourly on success"), RunResult.Kind.SUCCEEDED).after(), "cancel");
        JobChange refused = DECIDER.followed(judged, List.of(), CONTEXT);
        JobChange blocked = Transitions.blockRefused(judged, refused, started, "too large", CONTEXT);
        assertThat(States.story(blocked)).isEqualTo("SCHEDULED/SUCCEEDED, CANCELED/CANCELED -> finished");
    }

    @Test
    @DisplayName("X9, 16: a release that the server refuses ends no run whose follow-ups are not stored")
    void refusedRelease() {
        StoredJob judged =
                end(claimed("hourly on success"), RunResult.Kind.SUCCEEDED).after();
        JobChange refused = Transitions.releaseClaim(judged, CONTEXT);
        JobChange blocked = Transitions.blockRefused(judged, refused, false, "too large", CONTEXT);
        assertThat(blocked.after().phase()).isEqualTo(Phase.FOLLOW);
        assertThat(blocked.after().blocked()).isNotNull();
    }

    @Test
    @DisplayName("R5, 16: the row of a fire that has no retry policy says so, also if it has follow-ups")
    void withoutRetries() {
        StoredJob judged =
                end(claimed("hourly on failure"), RunResult.Kind.FAILED).after();
        assertThat(judged.verdict().detail()).isEqualTo("no retry policy");
        assertThat(DECIDER.followed(judged, List.of(), CONTEXT).rows().get(0).detail())
                .isEqualTo("no retry policy");
        StoredJob retried = end(claimed("hourly on failure retries retried"), RunResult.Kind.FAILED)
                .after();
        assertThat(DECIDER.followed(retried, List.of(), CONTEXT).rows().get(0).detail())
                .isNull();
    }

    @Test
    @DisplayName(
            "16: the next fire of a fixed delay stands in the row of the end, and none in that of the pause behind it")
    void pausedAfterFailures() {
        StoredJob claimed = claimed("hourly on failure giving up");
        StoredJob delayed = claimed.with(edit -> edit.specification(StoredFields.of(claimed.specification().toBuilder()
                        .schedulingSpecification("PT1H")
                        .cronDialect(CronDialect.EVERY_AFTER_END))
                .anchor(NOW.minusSeconds(3_600))
                .build()));
        StoredJob judged = end(delayed, RunResult.Kind.FAILED).after();
        JobChange change = DECIDER.followed(
                judged,
                List.of(),
                new DecisionContext(NOW.plusSeconds(30), "n2", 0, CONTEXT.settings(), Retention.DEFAULT));
        assertThat(change.rows())
                .extracting(JobExecutionStatus::outcome)
                .containsExactly(Outcome.RETRIES_EXHAUSTED, Outcome.PAUSED);
        assertThat(change.rows())
                .extracting(JobExecutionStatus::nextFireTime)
                .containsExactly(judged.verdict().updatedTime().plusSeconds(3_600), null);
        assertThat(change.after().lastStatus()).isEqualTo(change.rows().get(1));
    }

    @Test
    @DisplayName(
            "S19, 16: a fire that failed for good is open, also if its job is cancelled before the follow-ups are stored")
    void canceledFailure() {
        StoredJob judged = asked(
                end(claimed("hourly on failure elsewhere"), RunResult.Kind.FAILED)
                        .after(),
                "cancel");
        JobChange change = DECIDER.followed(judged, List.of(), CONTEXT);
        assertThat(States.story(change)).isEqualTo("FAILED/RETRIES_EXHAUSTED, CANCELED/CANCELED -> finished");
        JobChange refused = Transitions.blockRefused(judged, change, false, "too large", CONTEXT);
        for (JobChange each : List.of(change, refused)) {
            assertThat(each.before()).isEqualTo(judged);
            assertThat(each.after().plan().failuresInARow()).isEqualTo(1);
            assertThat(each.after().phase()).isEqualTo(Phase.RUN);
        }
    }
}
