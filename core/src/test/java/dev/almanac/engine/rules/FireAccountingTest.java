package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.States.CONTEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.FireAccount;
import dev.almanac.model.FireAccount.Kind;
import dev.almanac.model.FireReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.StoredFields;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** From when on the fires of a job are accounted for (rule S22); what becomes of them is tested over the stores. */
class FireAccountingTest {
    private static final Instant NOW = Jobs.NOW;
    private static final Instant CHANGED = NOW.minus(Duration.ofDays(3));

    private static JobSpecification of(String cron) {
        return Jobs.specification("k").schedulingSpecification(cron).build();
    }

    /** Of a job that has run daily since three days ago, and by another schedule before. */
    private static FireReport report(JobSpecification former) {
        return report(former, States.planner());
    }

    private static FireReport report(JobSpecification former, FirePlanner planner) {
        JobSpecification daily = StoredFields.of(of("0 0 12 * * ?").toBuilder().version(2))
                .latestUpdate(CHANGED)
                .build();
        StoredJob job = RequestDecider.create(
                        "1".repeat(24),
                        new SpecificationCheck.Accepted(
                                daily, States.planner().next(daily, NOW).orElseThrow(), States.planner()),
                        NOW,
                        CONTEXT)
                .job()
                .with(edit -> edit.specification(daily));
        JobExecutionStatus change = job.lastStatus().toBuilder()
                .id("changed")
                .updatedTime(CHANGED)
                .former(former)
                .build();
        return FireAccounting.report(
                new FireAccounting.Known(
                        job,
                        List.of(change),
                        null,
                        planner,
                        CalendarPeriods.of(List.of(), List.of(), definition -> States.OPEN),
                        JobState.SCHEDULED),
                NOW.minus(Duration.ofDays(40)),
                NOW);
    }

    @Test
    @DisplayName(
            "S22: rows of an earlier, more frequent schedule have expired: all since the change is told, and no loss hidden")
    void fromFrequentToRare() {
        FireReport report = report(StoredFields.former(of("0 * * * * ?"), CHANGED));
        assertThat(report.from()).isEqualTo(CHANGED.plusMillis(1));
        assertThat(report.limit()).isNotNull();
        assertThat(report.computed()).isTrue();
        assertThat(report.count(Kind.UNACCOUNTED)).isEqualTo(3);
    }

    @Test
    @DisplayName("S22: a calendar that throws leaves the fires of the schedules that do not ask it")
    void throwing() {
        ExclusionCalendar broken = new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                throw new IllegalStateException("no holidays today");
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId jobZone) {
                throw new IllegalStateException("no holidays today");
            }
        };
        JobSpecification former =
                of("0 0 * * * ?").toBuilder().calendar("broken").build();
        FireReport report = report(StoredFields.former(former, CHANGED), States.planner(Map.of("broken", broken)));
        assertThat(report.limit()).contains("no holidays today");
        assertThat(report.computed()).isFalse();
        assertThat(report.count(Kind.UNACCOUNTED)).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "S22, C5: a fire that was missed has one account, also if its date is closed afterwards and its policy would move it")
    void missedAndClosed() {
        JobSpecification sundays = StoredFields.of(
                        of("0 0 9 ? * SUN").toBuilder().calendar("bank").calendarPolicy(CalendarPolicy.FOLLOWING))
                .latestUpdate(NOW.minus(Duration.ofDays(30)))
                .build();
        Instant sunday = Instant.parse("2030-02-24T09:00:00Z");
        Instant next = sunday.plus(Duration.ofDays(7));
        StoredJob job = Jobs.of(sundays, next);
        JobExecutionStatus missed = Jobs.row("k", Outcome.MISSED, sunday.plusSeconds(60))
                .fireTime(null)
                .missed(new MissedFires(sunday, sunday, 1, false, MissedFires.Reason.TOO_LATE))
                .build();
        FireReport report = FireAccounting.report(
                new FireAccounting.Known(
                        job,
                        List.of(missed),
                        null,
                        new FirePlanner(new FirePlanner.Calendars(
                                Map.of("bank", Jobs.without("2030-02-24")), Map.of("bank", 2L), Map.of())),
                        CalendarPeriods.of(
                                List.of(version(2, sunday.plusSeconds(36_000))),
                                List.of(version(1, sunday.minusSeconds(360_000))),
                                definition -> definition.isEmpty() ? States.OPEN : Jobs.without("2030-02-24")),
                        JobState.SCHEDULED),
                sunday.minusSeconds(3_600),
                NOW);
        assertThat(report.accounts()).extracting(FireAccount::kind).containsExactly(Kind.TOO_LATE);
    }

    private static StoredCalendar version(long number, Instant from) {
        return new StoredCalendar("bank", number, number == 1 ? Map.of() : Map.of("closed", 1), from, "ann");
    }

    @Test
    @DisplayName("S22: nothing is told of a schedule that this version cannot read")
    void unreadable() {
        FireReport report = report(StoredFields.unreadable(CHANGED));
        assertThat(report.from()).isEqualTo(CHANGED.plusMillis(1));
        assertThat(report.count(Kind.UNACCOUNTED)).isEqualTo(3);
    }
}
