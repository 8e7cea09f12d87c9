package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static dev.almanac.engine.rules.States.CONTEXT;
import static dev.almanac.engine.rules.States.asked;
import static dev.almanac.engine.rules.States.claimed;
import static dev.almanac.engine.rules.States.passed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.StoredFields;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ZoneRulesVersion;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of what a claim leads to that found neither missed fires nor abandoned claims. */
class FireTest {
    private static final FireDecider DECIDER = new FireDecider(States.planner());

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
                    hourly elsewhere       ; -               ; release
                    hourly elsewhere       ; cancel          ; settle: CANCELED/CANCELED -> finished
                    one-off owing          ; -               ; settle: FAILED/FAILURE_UNDELIVERED -> finished
                    one-off failing over owing; -            ; start
                    """)
    void table(String kind, String requests, String story) {
        assertThat(States.story(DECIDER.decide(asked(claimed(kind), requests), CONTEXT)))
                .isEqualTo(story);
    }

    @ParameterizedTest
    @DisplayName("X5: a moment that lies outside of the lease is a clock that was set; nothing is decided by it")
    @CsvSource({"-90000, release", "-3, release", "-1, start", "0, start", "19, start", "21, release", "90000, release"
    })
    void doubtful(long seconds, String story) {
        SchedulerSettings settings = SchedulerSettings.defaults();
        DecisionContext context = new DecisionContext(NOW.plusSeconds(seconds), "n2", 0, settings, CONTEXT.retention());
        StoredJob job = claimed("one-off")
                .with(edit -> edit.lease(new Lease("n2", 7, NOW.plusSeconds(20)))
                        .plan(claimed("one-off").plan().retryAt(context.now(), null)));
        assertThat(States.story(DECIDER.decide(job, context))).isEqualTo(story);
    }

    @ParameterizedTest
    @DisplayName(
            "T6: a wall time that was planned by older zone rules is planned anew at its claim; one that was not fires")
    @CsvSource({"true, settle: SCHEDULED/REPLANNED -> waiting 09:00", "false, start"})
    void wallTimeOfOldRules(boolean old, String story) {
        LocalDateTime wall = LocalDateTime.ofInstant(NOW, ZoneOffset.UTC).plusHours(old ? 1 : 0);
        JobSpecification once = StoredFields.of(States.specification("one-off").toBuilder())
                .singleSchedule(NOW, wall)
                .build();
        PlanBasis basis = new PlanBasis(
                old ? "2000a" : ZoneRulesVersion.of(ZoneOffset.UTC),
                LocalDateTime.ofInstant(NOW, ZoneOffset.UTC),
                NOW,
                null);
        StoredJob job =
                claimed("one-off").with(edit -> edit.specification(once).plan(FirePlan.first(NOW, null, basis)));
        assertThat(States.story(DECIDER.decide(job, CONTEXT))).isEqualTo(story);
    }

    @Test
    @DisplayName(
            "S16: a changed schedule whose calendars leave no fire until its end blocks the job; none of the old fires")
    void noFireOfTheNewSchedule() {
        FireDecider closed = new FireDecider(States.planner(Map.of("open", Jobs.without("2030-03-01"))));
        StoredJob job = asked(claimed("hourly calendar bounded"), "moved");
        assertThat(States.story(closed.decide(job, CONTEXT))).isEqualTo("settle: SCHEDULED/BLOCKED -> blocked");
        StoredJob unplanned = job.with(
                edit -> edit.verdict(Rows.after(job, CONTEXT, "unplanned", ExecutionStatus.SCHEDULED, Outcome.NONE)
                        .build()));
        JobChange change = States.changeOf(closed.decide(unplanned, CONTEXT));
        assertThat(States.story(change)).isEqualTo("SCHEDULED/BLOCKED -> blocked");
        assertThat(change.before()).isEqualTo(unplanned);
        assertThat(change.after().plan().nextFireTime()).isNull();
        assertThat(change.after().due()).isNull();
        StoredJob byHand = unplanned.with(edit -> edit.requests(job.requests().withRunNow(NOW.minusSeconds(1))));
        assertThat(States.changeOf(closed.decide(byHand, CONTEXT)).after().due())
                .as("a run by hand that was asked for needs no fire")
                .isNotNull();
    }

    @Test
    @DisplayName("X6: a calendar that throws here leaves the job to others; a cron that nobody can read blocks it")
    void unplannable() {
        FireDecider throwing = new FireDecider(States.planner(Map.of("open", new Throwing())));
        assertThat(States.story(throwing.decide(claimed("hourly calendar"), CONTEXT)))
                .isEqualTo("release");
        StoredJob broken = claimed("hourly")
                .with(edit -> edit.specification(States.specification("hourly").toBuilder()
                        .schedulingSpecification("nonsense")
                        .build()));
        assertThat(States.story(DECIDER.decide(passed(broken, 3), CONTEXT)))
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
