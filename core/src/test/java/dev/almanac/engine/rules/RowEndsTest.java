package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.States.CONTEXT;
import static dev.almanac.engine.rules.States.claimed;
import static dev.almanac.engine.rules.States.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.Actor;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Retention;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.RowLimit;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CronDialect;
import dev.almanac.time.PlannedFire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When rows are removed, as it is known when they are made (rules M8, N5). */
class RowEndsTest {
    private static final Instant NOW = Jobs.NOW;
    private static final Duration REQUEST = SchedulerSettings.defaults().requestRetention();
    private static final Retention KEPT = Retention.DEFAULT;
    private static final CompletionDecider COMPLETION = new CompletionDecider(States.planner());

    private static StoredJob created(JobSpecification specification) {
        PlannedFire first = specification
                .singleSchedule()
                .map(moment -> new PlannedFire(moment, null))
                .orElseGet(() -> States.planner().next(specification, NOW).orElseThrow());
        SpecificationCheck.Accepted accepted = new SpecificationCheck.Accepted(specification, first, States.planner());
        return RequestDecider.create("1".repeat(24), accepted, NOW, CONTEXT).job();
    }

    private static JobSpecification at(Instant moment) {
        return Jobs.specification("k").singleSchedule(moment).build();
    }

    @ParameterizedTest
    @DisplayName("S22: rows are kept for a hundred fires, a day at least and 35 at most, also those of a fixed delay")
    @CsvSource({
        "PT1S,EVERY,P1D",
        "PT1S,EVERY_AFTER_END,P1D",
        "30m,EVERY_AFTER_END,PT50H",
        "PT1H,EVERY,PT100H",
        "PT1H,EVERY_AFTER_END,PT100H",
        "PT24H,EVERY_AFTER_END,P35D"
    })
    void hundredFires(String text, CronDialect dialect, Duration kept) {
        JobSpecification job = Jobs.specification("k")
                .schedulingSpecification(text)
                .cronDialect(dialect)
                .build();
        assertThat(new FirePlanner.Search() {}.hundredFires(job)).isEqualTo(kept);
    }

    @ParameterizedTest(name = "{0}, {1}: {2} after {3}")
    @DisplayName("N5: the row of an end counts from the moment at which its job goes on; failed attempts are failures")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly          ; SUCCEEDED ; PT100H; 2026-03-01T09:00:00Z
                    hourly          ; FAILED    ; P30D ; 2026-03-01T09:00:00Z
                    hourly          ; SKIPPED   ; PT100H; 2026-03-01T09:00:00Z
                    hourly retries  ; FAILED    ; P30D ; 2026-03-01T08:05:00Z
                    hourly bounded  ; SUCCEEDED ; P7D  ; 2026-03-01T08:00:00Z
                    hourly bounded  ; FAILED    ; P30D ; 2026-03-01T08:00:00Z
                    one-off         ; SUCCEEDED ; P7D  ; 2026-03-01T08:00:00Z
                    one-off         ; FAILED    ; P30D ; 2026-03-01T08:00:00Z
                    one-off retries ; FAILED    ; P30D ; 2026-03-01T08:05:00Z
                    """)
    void ends(String kind, RunResult.Kind end, Duration kept, Instant from) {
        JobChange change = RowEnds.of(COMPLETION.decide(claimed(kind), result(end, false), CONTEXT), CONTEXT);
        assertThat(change.rows())
                .singleElement()
                .satisfies(row ->
                        assertThat(row.deleteTime()).isEqualTo(moved(from).plus(kept)));
        assertThat(change.after().lastStatus()).isEqualTo(change.rows().get(0));
        assertThat(change.limit()).isNull();
    }

    /** The table says it for a moment that is eight o'clock. */
    private static Instant moved(Instant from) {
        return NOW.plus(Duration.between(Instant.parse("2026-03-01T08:00:00Z"), from));
    }

    @Test
    @DisplayName("N5: the row of a creation counts from the first fire")
    void creation() {
        Instant far = NOW.plus(Duration.ofDays(400));
        assertThat(created(at(far)).lastStatus().deleteTime()).isEqualTo(far.plus(KEPT.good()));
        StoredJob hourly = created(
                Jobs.specification("k").schedulingSpecification("0 0 * * * ?").build());
        assertThat(hourly.lastStatus().deleteTime())
                .isEqualTo(hourly.plan().nextFireTime().plus(Duration.ofHours(100)));
    }

    @Test
    @DisplayName("N5: the row of a request is kept as requests are, or as long as others, if that is longer")
    void requests() {
        DecisionContext asked = CONTEXT.by(new Actor("ann", null), true);
        StoredJob soon = created(at(NOW.plusSeconds(60)));
        assertThat(RequestDecider.runNow(soon, null, asked).rows())
                .singleElement()
                .satisfies(row -> assertThat(row.deleteTime()).isEqualTo(NOW.plus(REQUEST)));
        Instant far = NOW.plus(Duration.ofDays(400));
        assertThat(RequestDecider.pause(created(at(far)), null, asked).rows())
                .singleElement()
                .satisfies(row -> assertThat(row.deleteTime()).isEqualTo(far.plus(KEPT.good())));
    }

    @Test
    @DisplayName("A2 N5: the row that names the failed fire of an extra run is kept as failures are, if that is longer")
    void rerun() {
        StoredJob hourly = created(
                Jobs.specification("k").schedulingSpecification("0 0 * * * ?").build());
        DecisionContext asked = CONTEXT.by(new Actor("ann", null), true);
        assertThat(RequestDecider.extraRun(hourly, "again", "run", asked).rows())
                .singleElement()
                .satisfies(row -> assertThat(row.deleteTime())
                        .isEqualTo(hourly.plan().nextFireTime().plus(KEPT.failed())));
    }

    @Test
    @DisplayName("N5: a cancel long before the moment pulls rows forward, one shortly before it does not")
    void canceled() {
        JobChange far = RequestDecider.cancel(created(at(NOW.plus(Duration.ofDays(400)))), false, CONTEXT);
        assertThat(far.limit()).isEqualTo(new RowLimit(NOW.plus(KEPT.canceled()), NOW.plus(KEPT.failed())));
        JobChange near = RequestDecider.cancel(created(at(NOW.plusSeconds(3_600))), false, CONTEXT);
        assertThat(near.limit()).isNull();
        JobChange wide = RowEnds.of(
                COMPLETION.decide(claimed("hourly"), result(RunResult.Kind.SUCCEEDED, false), CONTEXT), CONTEXT);
        assertThat(wide.limit()).isNull();
    }

    @Test
    @DisplayName("N4: a document is kept for two days at least, with any retention")
    void least() {
        Retention none = new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        StoredJob job = claimed("one-off");
        StoredJob brief = job.with(edit -> edit.specification(
                job.specification().toBuilder().retention(none).build()));
        JobChange ended = COMPLETION.decide(brief, result(RunResult.Kind.SUCCEEDED, false), CONTEXT);
        assertThat(ended.after().specification().deleteTime()).contains(NOW.plus(Duration.ofDays(2)));
        assertThat(RequestDecider.cancel(created(brief.specification()), false, CONTEXT)
                        .after()
                        .specification()
                        .deleteTime())
                .contains(NOW.plus(Duration.ofDays(2)));
    }

    private static Instant shown(boolean live, @Nullable Instant goesOn, Duration left) {
        JobExecutionStatus row = created(at(NOW.plusSeconds(60))).lastStatus().toBuilder()
                .deleteTime(NOW.plus(left))
                .build();
        return RowEnds.ofShown(new ShownRow("j", History.ALL, row, live, goesOn, Map.of()), NOW);
    }

    @Test
    @DisplayName(
            "N4: a row with less than two days left gets four if its live job does not go on as planned, and no other")
    void keptOn() {
        Instant four = NOW.plus(Duration.ofDays(4));
        Duration day = Duration.ofDays(1);
        assertThat(List.of(shown(true, null, day), shown(true, NOW.minusSeconds(1), day)))
                .containsOnly(four);
        assertThat(shown(true, NOW.plusSeconds(1), day)).isEqualTo(NOW.plus(day));
        assertThat(shown(false, null, day)).isEqualTo(NOW.plus(day));
        assertThat(shown(true, null, Duration.ofDays(3))).isEqualTo(NOW.plus(Duration.ofDays(3)));
        assertThat(shown(true, null, Duration.ofDays(-3))).isEqualTo(four);
    }
}
