package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static dev.almanac.engine.rules.States.CONTEXT;
import static dev.almanac.engine.rules.States.changeOf;
import static dev.almanac.engine.rules.States.claimed;
import static dev.almanac.engine.rules.States.passed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.MissedFires;
import dev.almanac.model.Pause;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.WriteOrder;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of fires that have passed, and what is done about them. */
class MissedFireTest {
    private static final FireDecider DECIDER = new FireDecider(States.planner());

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
        Decision decision = DECIDER.decide(begun, List.of(), CONTEXT);
        assertThat(States.story(decision)).isEqualTo(story);
        if (missed > 0) {
            assertThat(changeOf(decision).rows().get(0).missed().count()).isEqualTo(missed);
            assertThat(changeOf(decision).order()).isEqualTo(WriteOrder.PLAN_FIRST);
        }
    }

    @Test
    @DisplayName("R4: a planned fire that calendars exclude by now is missed, and the plan does not come back to it")
    void excludedSince() {
        Instant planned = NOW.minus(Duration.ofHours(1));
        MissedFireDecider edited = new MissedFireDecider(States.planner(Map.of("open", excluding(planned))));
        StoredJob job = passed(claimed("hourly calendar"), 1);
        JobChange change = changeOf(edited.decide(job, planned, CONTEXT.notBefore(NOW.plusSeconds(1)))
                .orElseThrow());
        assertThat(change.after().plan().nextFireTime()).isEqualTo(NOW);
        assertThat(change.after().plan().basis().after()).isEqualTo(planned);
        assertThat(change.rows().get(0).missed()).isEqualTo(new MissedFires(planned, planned, 1, false));
    }

    @Test
    @DisplayName("R4: fires between that calendars exclude by now are neither counted nor told as missed")
    void excludedBetween() {
        Instant planned = NOW.minus(Duration.ofHours(4));
        ExclusionCalendar open = excluding(NOW.minus(Duration.ofHours(3)), NOW.minus(Duration.ofHours(1)));
        MissedFireDecider edited = new MissedFireDecider(States.planner(Map.of("open", open)));
        StoredJob job = passed(claimed("hourly calendar"), 4);
        JobChange change = changeOf(edited.decide(job, planned, CONTEXT.notBefore(NOW.plusSeconds(1)))
                .orElseThrow());
        assertThat(change.after().plan().nextFireTime()).isEqualTo(NOW);
        assertThat(change.rows().get(0).missed())
                .isEqualTo(new MissedFires(planned, NOW.minus(Duration.ofHours(2)), 2, false));
    }

    @Test
    @DisplayName("R4: a single fire that has passed is run late, and not missed")
    void single() {
        StoredJob job = passed(claimed("hourly"), 0);
        assertThat(States.story(DECIDER.decide(job, List.of(), CONTEXT.notBefore(NOW.plusSeconds(10)))))
                .isEqualTo("start");
    }

    @Test
    @DisplayName("R4 M7: fires that are missed twice under one claim are told by two rows")
    void twice() {
        MissedFireDecider missed = new MissedFireDecider(States.planner());
        StoredJob job = passed(claimed("hourly"), 2);
        JobChange first =
                changeOf(missed.decide(job, job.plan().nextFireTime(), CONTEXT).orElseThrow());
        DecisionContext later = CONTEXT.notBefore(NOW.plus(Duration.ofHours(2)));
        JobChange second =
                changeOf(missed.decide(first.after(), first.after().plan().nextFireTime(), later)
                        .orElseThrow());
        assertThat(second.rows().get(0).missed().count()).isEqualTo(2);
        assertThat(second.rows().get(0).claimSeq())
                .isEqualTo(first.rows().get(0).claimSeq());
        assertThat(second.rows().get(0).id()).isNotEqualTo(first.rows().get(0).id());
    }

    private static ExclusionCalendar excluding(Instant... fires) {
        Set<Instant> excluded = Set.of(fires);
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId zone) {
                return !excluded.contains(instant);
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId zone) {
                return Optional.of(excluded.contains(from) ? from.plusMillis(1) : from);
            }
        };
    }

    @Test
    @DisplayName("P7, R4: a user's change writes the row of missed fires before the document, and its own row after it")
    void missedBeforeRequest() {
        StoredJob moved = changeOf(DECIDER.decide(passed(claimed("hourly"), 5), List.of(), CONTEXT))
                .after();
        JobChange paused = RequestDecider.pause(moved, new Pause("audit", "ann", null), CONTEXT);
        assertThat(moved.lastStatus().missed()).isNotNull();
        assertThat(paused.order()).isEqualTo(WriteOrder.DOCUMENT_FIRST);
        assertThat(paused.rowsBefore()).containsExactly(moved.lastStatus());
        assertThat(paused.rowsAfter()).containsExactly(paused.after().lastStatus());
    }
}
