package dev.almanac.calendars.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.Schedule;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** RFC 5545 against python-dateutil; src/test/oracle/rrule.py makes the cases. */
class DateutilTest {
    private static List<String[]> rows() throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                DateutilTest.class.getResourceAsStream("/rrule/dateutil.tsv"), StandardCharsets.UTF_8))) {
            return in.lines().skip(1).map(line -> line.split("\t", -1)).toList();
        }
    }

    @Test
    @DisplayName("16: a thousand rules of all frequencies fire as python-dateutil and the sentence of 4.2 say")
    void oracle() throws IOException {
        List<String> wrong = new ArrayList<>();
        List<String[]> rows = rows();
        for (String[] row : rows) {
            String got = fires(row, Integer.parseInt(row[4]));
            if (!got.equals(row[5])) {
                wrong.add(String.join(" | ", row) + "\n  got " + got);
            }
        }
        assertThat(rows).hasSizeGreaterThanOrEqualTo(1_000);
        assertThat(wrong).isEmpty();
    }

    @Test
    @DisplayName("16: what fires forwards fires backwards, and the canonical text is the same rule")
    void backwards() throws IOException {
        for (String[] row : rows()) {
            Schedule schedule = Schedule.parse(row[1], CronDialect.RRULE, Instant.EPOCH);
            ZoneId zone = ZoneId.of(row[2]);
            List<String> expected = List.of(row[5].replace(",none", "").split(","));
            List<String> found = new ArrayList<>();
            if (!row[5].equals("none")) {
                Optional<Instant> at = Optional.of(
                        Instant.parse(expected.get(expected.size() - 1)).plusNanos(1));
                while (found.size() < expected.size()) {
                    at = schedule.previous(at.orElseThrow(), zone, DaylightSavingPolicy.RUN_ONCE);
                    found.add(0, at.map(Instant::toString).orElse("none"));
                }
                assertThat(found).as(String.join(" | ", row)).isEqualTo(expected);
            }
            Schedule again = Schedule.parse(schedule.toString(), CronDialect.RRULE, Instant.EPOCH);
            assertThat(again).as(row[1]).isEqualTo(schedule).hasToString(schedule.toString());
        }
    }

    private static String fires(String[] row, int count) {
        Schedule schedule = Schedule.parse(row[1], CronDialect.RRULE, Instant.EPOCH);
        List<String> fires = new ArrayList<>();
        Optional<Instant> at = Optional.of(Instant.parse(row[3]));
        while (fires.size() < count && at.isPresent()) {
            at = schedule.next(at.get(), ZoneId.of(row[2]), DaylightSavingPolicy.RUN_ONCE);
            fires.add(at.map(Instant::toString).orElse("none"));
        }
        return String.join(",", fires);
    }
}
