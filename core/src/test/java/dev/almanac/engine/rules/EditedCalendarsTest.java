package dev.almanac.engine.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobSpecification;
import dev.almanac.store.FirePlan;
import dev.almanac.time.CalendarPolicy;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a date that has fired, once the calendar is edited that has moved it, or would (rules C4, C5). */
class EditedCalendarsTest {
    /** @param dates such as {@code 03-31 04-01}, of 2030; {@code none} = of none */
    private static FirePlanner closedOn(String dates) {
        String[] closed = dates.equals("none")
                ? new String[0]
                : Arrays.stream(dates.split(" ")).map(date -> "2030-" + date).toArray(String[]::new);
        return new FirePlanner(new FirePlanner.Calendars(Map.of("bank", Jobs.without(closed))));
    }

    private static Instant at(String date) {
        return LocalDate.parse("2030-" + date).atTime(LocalTime.of(9, 0)).toInstant(ZoneOffset.UTC);
    }

    // 31 March 2030 is a Sunday
    @ParameterizedTest
    @CsvSource({
        "FOLLOWING, L ?, 03-31, 04-01, 03-31 04-01, 04-30",
        "FOLLOWING, ? SUN, 03-31, 04-01, 03-31 04-01, 04-07",
        "FOLLOWING, ? SUN, 03-31, 04-01, 03-31 04-07 04-08, 04-09",
        "FOLLOWING, L ?, none, 03-31, 03-31, 04-30",
        "NEXT_INCLUDED, ? SUN, none, 03-31, 03-31, 04-07",
        "PRECEDING, * ?, 03-30 03-31, 03-29, 03-30, 03-31",
        "PRECEDING, '? SAT,SUN', 03-29 03-30, 03-28, 03-30 03-31, 03-29",
    })
    @DisplayName("C4 C5: a date that has fired is not moved by an edit, and fires once; each other date fires")
    void once(CalendarPolicy policy, String days, String closed, String fired, String edited, String next) {
        String[] fields = days.split(" ");
        JobSpecification job = Jobs.specification("k")
                .schedulingSpecification("0 0 9 " + fields[0] + (fields[1].equals("?") ? " * ?" : " * " + fields[1]))
                .calendar("bank")
                .calendarPolicy(policy)
                .build();
        FirePlanner before = closedOn(closed);
        Instant given = at(fired).minusSeconds(60);
        FirePlan first = before.planFrom(job, Jobs.of(job, given).plan(), before.next(job, given), given);
        assertThat(first.nextFireTime()).isEqualTo(at(fired));
        FirePlanner by = closedOn(edited);
        FirePlan waiting =
                new CompletionDecider(before).following(job, first, at(fired)).orElseThrow();
        FirePlan anew = by.planAnew(job, waiting, at(fired).plusSeconds(60)).orElse(waiting);
        assertThat(anew.nextFireTime()).as("edited behind the run").isEqualTo(at(next));
        assertThat(new CompletionDecider(by)
                        .following(job, first, at(fired))
                        .orElseThrow()
                        .nextFireTime())
                .as("edited during the run")
                .isEqualTo(at(next));
        assertThat(by.planAnew(job, anew, at(fired).plusSeconds(120)))
                .as("it stays so")
                .isEmpty();
    }

    @Test
    @DisplayName(
            "C4: a time that the clock shows twice fires twice where a calendar has moved it, since an interval does")
    void bothPasses() {
        JobSpecification job = Jobs.specification("k")
                .schedulingSpecification("0 0 * ? * SAT")
                .zoneId(ZoneId.of("Asia/Jerusalem"))
                .calendar("bank")
                .calendarPolicy(CalendarPolicy.FOLLOWING)
                .build();
        FirePlanner planner =
                new FirePlanner(new FirePlanner.Calendars(Map.of("bank", Jobs.without("2026-10-24", "2026-10-31"))));
        Instant fire = Instant.parse("2026-10-24T22:00:00Z");
        FirePlan first = planner.planFrom(
                job, Jobs.of(job, fire).plan(), planner.next(job, fire.minusSeconds(60)), fire.minusSeconds(60));
        assertThat(first.nextFireTime()).isEqualTo(fire);
        FirePlan second =
                new CompletionDecider(planner).following(job, first, fire).orElseThrow();
        assertThat(second.nextFireTime()).isEqualTo(fire.plusSeconds(3_600));
        assertThat(planner.planAnew(job, second, fire.plusSeconds(60))).isEmpty();
    }
}
