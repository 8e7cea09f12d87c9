package dev.almanac.calendars.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.time.LocalTimes;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 5545 and the places where others differ from it. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ExpansionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "19970902T090000 | FREQ=DAILY;COUNT=3 | 0902 0903 0904",
                "19970902T090000 | FREQ=DAILY;INTERVAL=10;COUNT=5 | 0902 0912 0922 1002 1012",
                "19970902T090000 | FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH | 0902 0904 0916 0918 0930 1002 1014 1016",
                "19970905T090000 | FREQ=MONTHLY;COUNT=5;BYDAY=1FR | 0905 1003 1107 1205 0102",
                "19970907T090000 | FREQ=MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU | 0907 0928 1102 1130 0104 0125",
                "19970922T090000 | FREQ=MONTHLY;COUNT=6;BYDAY=-2MO | 0922 1020 1117 1222 0119 0216",
                "19970928T090000 | FREQ=MONTHLY;BYMONTHDAY=-3 | 0928 1029 1128 1229 0129 0226",
                "19970930T090000 | FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1 | 0930 1001 1031 1101 1130 1201",
                "19970902T090000 | FREQ=MONTHLY;INTERVAL=2;BYDAY=TU | 0902 0909 0916 0923 0930 1104",
                "19970610T090000 | FREQ=YEARLY;COUNT=10;BYMONTH=6,7 | 0610 0710 0610 0710",
                "19970310T090000 | FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3 | 0310 0110 0210 0310 0110 0210",
                "19970101T090000 | FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200 | 0101 0410 0719 0101 0409 0718",
                "19970519T090000 | FREQ=YEARLY;BYDAY=20MO | 0519 0518 0517",
                "19970512T090000 | FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO | 0512 0511 0517",
                "19970313T090000 | FREQ=YEARLY;BYMONTH=3;BYDAY=TH | 0313 0320 0327 0305 0312 0319 0326",
                "19970902T090000 | FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13 | 0213 0313 1113 0813 1013",
                "19970913T090000 | FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13 | 0913 1011 1108 1213 0110",
                "19961105T090000 | FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8 | 1105 1107 1102",
                "19970904T090000 | FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3 | 0904 1007 1106",
                "19970929T090000 | FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2 | 0929 1030 1127 1230 0129",
                "20070115T090000 | FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5 | 0115 0130 0215 0315 0330",
                "19970805T090000 | FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO | 0805 0810 0819 0824",
                "19970805T090000 | FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU | 0805 0817 0819 0831",
            })
    @DisplayName("16: the examples of RFC 5545, section 3.8.5.3")
    void examples(String start, String rule, String dates) {
        List<String> expected = List.of(dates.split(" "));
        assertThat(times(start, rule, expected.size()).stream()
                        .map(time -> time.substring(5, 7) + time.substring(8, 10))
                        .toList())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "19970902T090000 | FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000 | 09:00 12:00 15:00 none",
                "19970902T090000 | FREQ=MINUTELY;INTERVAL=15;COUNT=6 | 09:00 09:15 09:30 09:45 10:00 10:15 none",
                "19970902T090000 | FREQ=MINUTELY;INTERVAL=90;COUNT=4 | 09:00 10:30 12:00 13:30 none",
                "19970902T090000 | FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20,40 | 09:00 09:20 09:40 10:00 10:20 10:40 09:00",
                "19970902T090000 | FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10 | 09:00 09:20 09:40 10:00 10:20 10:40 09:00",
                "19970902T090000 | FREQ=HOURLY;BYMINUTE=0,20,40;BYSETPOS=-1;COUNT=2 | 09:40 10:40 none",
            })
    @DisplayName("16: frequencies below a day")
    void times_of_day(String start, String rule, String times) {
        List<String> expected = List.of(times.split(" "));
        assertThat(times(start, rule, expected.size()).stream()
                        .map(time -> time.equals("none") ? time : time.substring(11, 16))
                        .toList())
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("16: days with and without a number in one list are all meant; dateutil takes those that are both")
    void mixed_weekdays() {
        assertThat(times("20260101T000000", "FREQ=MONTHLY;BYDAY=MO,2TU", 6))
                .containsExactly(
                        "2026-01-05T00:00",
                        "2026-01-12T00:00",
                        "2026-01-13T00:00",
                        "2026-01-19T00:00",
                        "2026-01-26T00:00",
                        "2026-02-02T00:00");
    }

    @Test
    @DisplayName("16: positions of a weekly rule count from the start of the week, also in its first")
    void positions_of_the_first_week() {
        assertThat(times("20260107T000000", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1", 2))
                .as("7 January is a Wednesday: the first of that week has passed")
                .containsExactly("2026-01-12T00:00", "2026-01-19T00:00");
    }

    @Test
    @DisplayName("16: week 53 and the last week reach into January")
    void weeks_across_the_year() {
        assertThat(times("20200101T000000", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=TH,SU", 4))
                .containsExactly("2020-12-31T00:00", "2021-01-03T00:00", "2026-12-31T00:00", "2027-01-03T00:00");
        assertThat(times("20200101T000000", "FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU", 3))
                .containsExactly("2021-01-03T00:00", "2022-01-02T00:00", "2023-01-01T00:00");
        assertThat(times("20200601T000000", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO", 3))
                .containsExactly("2021-01-04T00:00", "2022-01-03T00:00", "2023-01-02T00:00");
    }

    @Test
    @DisplayName("16: the start is no fire of its own, and counts only if it matches")
    void start_is_a_seed() {
        assertThat(times("20260131T090000", "FREQ=MONTHLY;BYMONTHDAY=1;COUNT=2", 3))
                .containsExactly("2026-02-01T09:00", "2026-03-01T09:00", "none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
                "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1",
                "FREQ=SECONDLY;INTERVAL=7;BYHOUR=9;BYMINUTE=0;BYSECOND=3;BYMONTH=2;BYMONTHDAY=30",
                "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=1",
                "FREQ=HOURLY;INTERVAL=24;BYHOUR=5",
                "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=4",
                "FREQ=MONTHLY;BYDAY=6MO",
                "FREQ=YEARLY;INTERVAL=999999999;BYMONTHDAY=1;BYMONTH=1",
                "FREQ=SECONDLY;BYHOUR=1;BYSETPOS=2",
                "FREQ=DAILY;UNTIL=19691231T000000"
            })
    @DisplayName("T4: rules that never fire are known at once")
    void never(String rule) {
        RecurrenceRules rules = new RecurrenceRules();
        assertThat(rules.read("DTSTART:20260102T000000 RRULE:" + rule).times().next(0))
                .isEqualTo(LocalTimes.NONE);
        assertThat(rules.read("DTSTART:20260102T000000 RRULE:" + rule).times().previous(Long.MAX_VALUE))
                .isEqualTo(LocalTimes.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FREQ=SECONDLY;COUNT=1000000",
                "FREQ=SECONDLY;INTERVAL=7;BYSECOND=0,1,2,3;COUNT=1000000",
                "FREQ=HOURLY;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYSETPOS=50;COUNT=1000000",
                "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=1,2,3;BYSETPOS=1,2,3,-1,-2,-3,100,200;COUNT=1000000"
            })
    @DisplayName("T4: a large COUNT and many positions end soon")
    void bounded(String rule) {
        assertThat(new RecurrenceRules()
                        .read("DTSTART:19700101T000000 RRULE:" + rule)
                        .times()
                        .previous(Long.MAX_VALUE))
                .isPositive();
    }

    private static List<String> times(String start, String rule, int count) {
        LocalTimes times = new RecurrenceRules()
                .read("DTSTART:" + start + " RRULE:" + rule)
                .times();
        List<String> found = new ArrayList<>();
        long at = -1;
        while (found.size() < count) {
            at = times.next(at + 1);
            if (at == LocalTimes.NONE) {
                found.add("none");
                return found;
            }
            found.add(LocalDateTime.ofEpochSecond(at, 0, ZoneOffset.UTC).toString());
        }
        return found;
    }
}
