package dev.almanac.calendars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YearlyRuleTest {
    private static final long SEED = 20261121;

    private static List<LocalDate> starts(String rule, LocalDate start, LocalDate from, LocalDate through) {
        RawEvent.Line line = new RawEvent.Line("RRULE", 7, Map.of(), rule);
        return YearlyRule.of(new RawEvent(1), line, start).starts(new ICalendarWindow(from, through));
    }

    @Test
    @DisplayName("C6: 3 000 random yearly rules give the dates that a walk through every day of every year gives")
    void oracle() {
        SplittableRandom random = new SplittableRandom(SEED);
        int judged = 0;
        int dates = 0;
        while (judged < 3_000) {
            WalkedRule rule = WalkedRule.random(random);
            LocalDate somewhere = LocalDate.of(1990 + random.nextInt(40), 1, 1).plusDays(random.nextInt(366));
            List<LocalDate> first = rule.dates(somewhere, somewhere.plusYears(30));
            if (first.isEmpty()) {
                continue;
            }
            LocalDate start = first.get(0);
            WalkedRule bounded = rule.bounded(random, start);
            LocalDate from = start.plusDays(random.nextInt(6_000) - 500);
            LocalDate through = from.plusYears(random.nextInt(25));
            List<LocalDate> expected = bounded.dates(start, through).stream()
                    .filter(date -> !date.isBefore(from))
                    .toList();
            String text =
                    bounded.text() + (random.nextInt(3) == 0 ? ";WKST=" + (random.nextBoolean() ? "SU" : "TH") : "");
            assertThat(starts(text, start, from, through))
                    .as("seed %d: %s from %s, window %s to %s", SEED, text, start, from, through)
                    .isEqualTo(expected);
            judged++;
            dates += expected.size();
        }
        assertThat(dates).as("dates compared, not only empty lists").isGreaterThan(10_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FREQ=SECONDLY | more frequent than the limit",
                "FREQ=DAILY;COUNT=3 | more frequent than the limit",
                "FREQ=MONTHLY | more frequent than the limit",
                "FREQ=YEARLY;FREQ=DAILY | more frequent than the limit",
                "FREQ=YEARLY;BYMONTH=12;BYMONTH=12 | names BYMONTH twice",
                "INTERVAL=2 | lacks FREQ=YEARLY",
                "FREQ=YEARLY;INTERVAL=0 | 'INTERVAL=0'",
                "FREQ=YEARLY;INTERVAL=-1 | 'INTERVAL=-1'",
                "FREQ=YEARLY;COUNT=0 | 'COUNT=0'",
                "FREQ=YEARLY;COUNT=99999 | 'COUNT=99999'",
                "FREQ=YEARLY;COUNT=2;UNTIL=20300101 | both COUNT and UNTIL",
                "FREQ=YEARLY;UNTIL=20300101T0000 | 'UNTIL=20300101T0000'",
                "FREQ=YEARLY;UNTIL=20301345 | names a day that does not exist",
                "FREQ=YEARLY;BYMONTH=13 | 'BYMONTH=13'",
                "FREQ=YEARLY;BYMONTH=12;BYDAY=4\u017fU | a part that is not read",
                "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=32 | 'BYMONTHDAY=32'",
                "FREQ=YEARLY;BYMONTHDAY=25 | name the months",
                "FREQ=YEARLY;BYYEARDAY=1;BYMONTH=12 | BYYEARDAY beside",
                "FREQ=YEARLY;BYSETPOS=1 | without a set",
                "FREQ=YEARLY;BYMONTH=5;BYDAY=6MO | five weeks",
                "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1;BYDAY=1MO | numbered weekdays beside",
                "FREQ=YEARLY;BYHOUR=3 | 'BYHOUR=3'",
                "FREQ=YEARLY;BYWEEKNO=20 | 'BYWEEKNO=20'",
                "RSCALE=HEBREW;FREQ=YEARLY | 'RSCALE=HEBREW'",
                "FREQ=YEARLY;X-MY=1 | 'X-MY=1'",
                "FREQ=YEARLY; | ''",
                "FREQ | more frequent",
                "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1 | does not name the date of DTSTART, 2026-12-25"
            })
    @DisplayName("C6: a rule that is not yearly, or whose dates would be a guess, is refused with its reason")
    void refused(String rule, String reason) {
        LocalDate christmas = LocalDate.of(2026, 12, 25);
        assertThatThrownBy(() -> starts(rule, christmas, christmas, christmas))
                .isInstanceOf(InvalidCalendarException.class)
                .hasMessageContaining("RRULE")
                .hasMessageContaining(reason);
    }

    @Test
    @DisplayName("C6: known holidays: Thanksgiving, a bank holiday on the last Monday, a leap day")
    void known() {
        LocalDate until = LocalDate.of(2029, 12, 31);
        assertThat(starts(
                        "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
                        LocalDate.of(1970, 11, 26),
                        LocalDate.of(2026, 1, 1),
                        until))
                .containsExactly(
                        LocalDate.of(2026, 11, 26),
                        LocalDate.of(2027, 11, 25),
                        LocalDate.of(2028, 11, 23),
                        LocalDate.of(2029, 11, 22));
        assertThat(starts(
                        "freq=yearly;bymonth=5;byday=-1mo", LocalDate.of(2026, 5, 25), LocalDate.of(2026, 1, 1), until))
                .containsExactly(
                        LocalDate.of(2026, 5, 25),
                        LocalDate.of(2027, 5, 31),
                        LocalDate.of(2028, 5, 29),
                        LocalDate.of(2029, 5, 28));
        assertThat(starts("FREQ=YEARLY", LocalDate.of(2024, 2, 29), LocalDate.of(2024, 1, 1), until))
                .containsExactly(LocalDate.of(2024, 2, 29), LocalDate.of(2028, 2, 29));
    }
}
