package dev.almanac.calendars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule S18: calendars of the kind RANGE. */
class RangeCalendarTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static RuleCalendar calendar(String ranges) {
        return CalendarDefinition.of(Map.of("kind", "Range", "exclude-ranges", ranges))
                .calendar();
    }

    @Test
    @DisplayName("S18: a range excludes its start and not its end, in the job's zone or its own")
    void ends() {
        RuleCalendar christmas = calendar("2026-12-24T18:00/2026-12-27T06:00");
        Instant start = Instant.parse("2026-12-24T17:00:00Z");
        Instant end = Instant.parse("2026-12-27T05:00:00Z");
        assertThat(christmas.isIncluded(start.minusMillis(1), BERLIN)).isTrue();
        assertThat(christmas.isIncluded(start, BERLIN)).isFalse();
        assertThat(christmas.isIncluded(end.minusMillis(1), BERLIN)).isFalse();
        assertThat(christmas.isIncluded(end, BERLIN)).isTrue();
        assertThat(christmas.nextIncluded(start, BERLIN)).contains(end);
        assertThat(christmas.inZone(BERLIN).nextIncluded(start, ZoneOffset.UTC)).contains(end);
        assertThat(christmas.nextIncluded(start, ZoneOffset.UTC)).contains(start);
    }

    @Test
    @DisplayName("S18: overlapping and touching ranges are one, in any order")
    void merged() {
        RuleCalendar calendar = calendar("2026-01-01T12:00/2026-01-01T13:00,"
                + " 2026-01-01T10:00/2026-01-01T11:00,2026-01-01T11:00/2026-01-01T12:30,"
                + "2026-01-01T10:10/2026-01-01T10:20,2026-01-01T14:00:00.001/2026-01-01T14:00:00.002");
        assertThat(calendar.nextIncluded(Instant.parse("2026-01-01T10:00:00Z"), ZoneOffset.UTC))
                .contains(Instant.parse("2026-01-01T13:00:00Z"));
        assertThat(calendar.nextIncluded(Instant.parse("2026-01-01T14:00:00.001Z"), ZoneOffset.UTC))
                .contains(Instant.parse("2026-01-01T14:00:00.002Z"));
    }

    @Test
    @DisplayName("S18: an instant is excluded if and only if its wall time is in one of the ranges")
    void againstThePlainAnswer() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            LocalDateTime base = LocalDateTime.parse("2026-10-24T20:00");
            List<DateTimeRange> ranges = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                LocalDateTime start = base.plusMinutes(random.nextInt(600));
                ranges.add(new DateTimeRange(start, start.plusMinutes(1 + random.nextInt(200))));
            }
            RuleCalendar calendar = Calendars.ranges(ranges);
            Instant from = base.minusMinutes(10).atZone(BERLIN).toInstant();
            for (int minute = 0; minute < 900; minute += 7) {
                Instant at = from.plusSeconds(minute * 60L);
                LocalDateTime wall = LocalDateTime.ofInstant(at, BERLIN);
                boolean in =
                        ranges.stream().anyMatch(range -> !wall.isBefore(range.start()) && wall.isBefore(range.end()));
                assertThat(calendar.isIncluded(at, BERLIN))
                        .as("seed %s, %s", seed, wall)
                        .isNotEqualTo(in);
                Instant next = calendar.nextIncluded(at, BERLIN).orElseThrow();
                assertThat(calendar.isIncluded(next, BERLIN)).isTrue();
                assertThat(next.equals(at) || !calendar.isIncluded(next.minusMillis(1), BERLIN))
                        .isTrue();
            }
        }
    }

    @Test
    @DisplayName("S18: a range may have no end or no beginning; beyond a million years nothing is excluded")
    void endless() {
        LocalDateTime noon = LocalDateTime.parse("2026-01-01T12:00");
        Instant at = noon.toInstant(ZoneOffset.UTC);
        RuleCalendar behind = Calendars.ranges(List.of(new DateTimeRange(noon, LocalDateTime.MAX)));
        assertThat(behind.isIncluded(at.minusMillis(1), ZoneOffset.UTC)).isTrue();
        assertThat(behind.isIncluded(at, ZoneOffset.UTC)).isFalse();
        assertThat(behind.nextIncluded(at, ZoneOffset.UTC)).isEmpty();
        assertThat(behind.isIncluded(Instant.MAX, ZoneOffset.UTC)).isTrue();
        RuleCalendar before = Calendars.ranges(List.of(new DateTimeRange(LocalDateTime.MIN, noon)));
        assertThat(before.isIncluded(at.minusMillis(1), ZoneOffset.UTC)).isFalse();
        assertThat(before.nextIncluded(at.minusSeconds(7_200), ZoneOffset.UTC)).contains(at);
        RuleCalendar nowhere =
                Calendars.ranges(List.of(new DateTimeRange(LocalDateTime.MAX.minusDays(1), LocalDateTime.MAX)));
        assertThat(nowhere.isIncluded(at, ZoneOffset.UTC)).isTrue();
    }

    @Test
    @DisplayName("S18: as data, with its zone; each wrong range is named")
    void asData() {
        Map<String, Object> data = Map.of(
                "kind",
                "Range",
                "exclude-ranges",
                List.of("2026-12-24T18:00/2026-12-27T06:00", "2027-01-01T00:00/2027-01-02T00:00:30"),
                "timezone",
                "Europe/Berlin");
        assertThat(CalendarDefinition.of(data).toMap()).isEqualTo(data);
        for (String wrong : List.of(
                "2026-12-24/2026-12-27",
                "2026-12-24T18:00",
                "2026-02-30T00:00/2026-03-01T00:00",
                "2026-12-24T18:00/2026-12-24T18:00",
                "2026-12-24T18:00Z/2026-12-27T06:00Z")) {
            assertThatThrownBy(() -> calendar("2026-01-01T00:00/2026-01-02T00:00," + wrong))
                    .isInstanceOf(InvalidCalendarException.class)
                    .hasMessageContaining(wrong)
                    .hasMessageContaining("exclude-ranges");
        }
    }
}
