package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Retention;
import dev.almanac.model.StoredFields;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** From when a fixed delay is counted. */
class DelayTest {
    private static final Duration TEN = Duration.ofMinutes(10);
    private static final FirePlanner PLANNER = States.planner(Map.of());
    private static final CompletionDecider DECIDER = new CompletionDecider(PLANNER);
    private static final RunResult GOOD = new RunResult(
            RunResult.Kind.SUCCEEDED,
            NOW.minusSeconds(5),
            NOW.minusMillis(300),
            null,
            null,
            null,
            null,
            RunResult.Left.NOTHING);

    private static DecisionContext at(Instant now) {
        return new DecisionContext(now, "n2", 0, SchedulerSettings.defaults(), Retention.DEFAULT);
    }

    private static StoredJob claimed() {
        Instant fire = NOW.minusSeconds(5);
        return Jobs.of(
                        StoredFields.of(Jobs.specification("k").everyAfterEnd(TEN))
                                .anchor(fire.minus(TEN))
                                .build(),
                        fire)
                .with(edit ->
                        edit.lease(new Lease("n2", 1, NOW.plusSeconds(20))).sequences(new Sequences(0, 1, 0, 0)));
    }

    @Test
    @DisplayName("16: the next fire is the time of the row that ended the run plus the delay, and the document says so")
    void counted() {
        JobChange change = DECIDER.decide(claimed(), GOOD, at(NOW));
        JobExecutionStatus row = change.rows().get(0);
        assertThat(StoredFields.anchorOf(change.after().specification())).isEqualTo(row.updatedTime());
        assertThat(change.after().plan().nextFireTime())
                .isEqualTo(row.updatedTime().plus(TEN))
                .isEqualTo(row.nextFireTime())
                .isEqualTo(change.after().due());
    }

    @Test
    @DisplayName("16: a manual run leaves plan and anchor as they are")
    void byHand() {
        RunResult manual = new RunResult(
                RunResult.Kind.SUCCEEDED, NOW, NOW, NOW.minusSeconds(2), null, null, null, RunResult.Left.NOTHING);
        StoredJob job = claimed();
        JobChange change = DECIDER.decide(job, manual, at(NOW));
        assertThat(StoredFields.anchorOf(change.after().specification()))
                .isEqualTo(StoredFields.anchorOf(job.specification()));
        assertThat(change.after().plan()).isEqualTo(job.plan());
    }

    @Test
    @DisplayName(
            "16: the next fire is startAt if that is later than the end plus the delay, also when it is decided again")
    void startAhead() {
        Instant start = NOW.plus(Duration.ofHours(5));
        StoredJob job = claimed();
        StoredJob postponed = job.with(edit -> edit.specification(
                job.specification().toBuilder().startAt(start).build()));
        JobChange change = DECIDER.decide(postponed, GOOD, at(NOW));
        assertThat(change.after().isLive()).isTrue();
        assertThat(change.after().plan().nextFireTime()).isEqualTo(start);
        JobChange again = Anchors.endedAt(PLANNER, change, NOW.minusSeconds(1), at(NOW));
        assertThat(again.after().plan().nextFireTime()).isEqualTo(start);
    }

    @Test
    @DisplayName("16: a fixed delay that is missed goes on at startAt if that lies ahead")
    void missedBeforeStart() {
        Instant start = NOW.plus(Duration.ofHours(5));
        StoredJob job = claimed();
        StoredJob late = job.with(edit -> edit.specification(job.specification().toBuilder()
                .startAt(start)
                .startDeadline(Duration.ofSeconds(1))
                .build()));
        FirePlan plan = FirePlan.first(NOW.minusSeconds(5), null, null);
        Decision decision = new FireDecider(PLANNER).decide(late.with(edit -> edit.plan(plan)), at(NOW));
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Decision.Settle.class,
                        settled -> assertThat(settled.change().after().plan().nextFireTime())
                                .isEqualTo(start));
    }
}
