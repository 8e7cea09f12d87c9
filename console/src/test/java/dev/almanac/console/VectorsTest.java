package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The sample vectors, asked as a batch of the command line is. */
class VectorsTest {
    /** Those of cron expressions are the tables of the tests of almanac-time. */
    private static List<String[]> rows(String file) throws IOException {
        Path root = Path.of(System.getProperty("almanac.root"));
        String folder =
                file.startsWith("cron-") ? "time/src/test/resources/time" : "console/src/test/resources/vectors";
        return Files.readAllLines(root.resolve(folder).resolve(file)).stream()
                .skip(1)
                .map(line -> line.split("\t", -1))
                .toList();
    }

    private static String instants(String list) {
        return Stream.of(list.split(","))
                .map(text -> text.equals("none")
                        ? text
                        : OffsetDateTime.parse(text).toInstant().toString())
                .reduce((a, b) -> a + "," + b)
                .orElse("");
    }

    private static String count(String list) {
        return String.valueOf(list.split(",").length);
    }

    static Stream<Arguments> next() throws IOException {
        return rows("cron-next.tsv").stream().map(row -> Arguments.of((Object) row));
    }

    static Stream<Arguments> dst() throws IOException {
        return rows("cron-dst.tsv").stream().map(row -> Arguments.of((Object) row));
    }

    static Stream<Arguments> calendar() throws IOException {
        return rows("cron-calendar.tsv").stream().map(row -> Arguments.of((Object) row));
    }

    static Stream<Arguments> invalid() throws IOException {
        return rows("cron-invalid.tsv").stream().map(row -> Arguments.of((Object) row));
    }

    static Stream<Arguments> included() throws IOException {
        return rows("calendar-cases.tsv").stream().map(row -> Arguments.of((Object) row));
    }

    static Stream<Arguments> businessDays() throws IOException {
        return rows("business-days.tsv").stream().map(row -> Arguments.of((Object) row));
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("T1, T2: cron next --batch")
    void next(String[] row) {
        String[] question = {row[0], row[1], row[2], row[3], "RUN_ONCE", count(row[4])};
        assertThat(CronCommand.NEXT.line(question)).as(String.join(" | ", row)).isEqualTo(instants(row[4]));
    }

    static Stream<Arguments> rrule() throws IOException {
        return rows("rrule.tsv").stream().map(row -> Arguments.of((Object) row));
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("16: cron next --batch of recurrence rules")
    void rrule(String[] row) {
        String[] question = {row[0], row[1], row[2], row[3], "RUN_ONCE", row[4]};
        assertThat(CronCommand.NEXT.line(question)).as(String.join(" | ", row)).isEqualTo(instants(row[5]));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "every | PT90M | 2026-01-01T00:00:00Z | 2 | 2026-01-01T01:30:00Z,2026-01-01T03:00:00Z",
                "EVERY | P1M | 2026-01-31T09:00 | 2 | 2026-02-28T08:00:00Z,2026-03-31T07:00:00Z",
                "every-after-end | PT10M | 2026-01-01 | 3 | 2025-12-31T23:10:00Z",
                "every_after_end | P1D | 2026-01-01 | 1 | invalid,step,1,",
                "every | P1X | 2026-01-01 | 1 | invalid,step,1,",
                "rrule | FREQ=DAILY | 2026-01-01 | 1 | invalid,rrule,1,",
                "quartz | 5 4 * * * | 2026-01-01 | 1 | invalid,expression,10,",
                "evry | PT1M | 2026-01-01 | 1 | invalid,dialect,1,'evry' is none of",
                "unix | 5 4 * * * | soon | 1 | invalid,from,1,'soon' is no moment",
            })
    @DisplayName("16: cron next --batch of steps, from moments in any form, and what is refused")
    void every(String dialect, String text, String from, String count, String expected) {
        String[] question = {dialect, text, "Europe/Brussels", from, "RUN_ONCE", count};
        assertThat(CronCommand.NEXT.line(question).replace('\t', ',')).startsWith(expected);
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("4.2: cron next --batch at clock changes, under all three policies")
    void dst(String[] row) {
        String[] policies = {"RUN_ONCE", "SKIP", "WALL_ONCE"};
        for (int i = 0; i < policies.length; i++) {
            String[] question = {row[0], row[1], row[2], row[3], policies[i], count(row[5 + i])};
            assertThat(CronCommand.NEXT.line(question))
                    .as(policies[i] + ": " + String.join(" | ", row))
                    .isEqualTo(instants(row[5 + i]));
        }
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("C4: cron next --batch with a calendar")
    void calendar(String[] row) {
        String[] question = {"quartz", row[0], row[1], row[2], "RUN_ONCE", count(row[5]), row[3], row[4]};
        assertThat(CronCommand.NEXT.line(question)).as(String.join(" | ", row)).isEqualTo(instants(row[5]));
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("T3: what is refused names field, column and reason")
    void invalid(String[] row) {
        String[] question = {row[0], row[1], "UTC", "2026-01-01T00:00:00Z", "RUN_ONCE", "1"};
        assertThat(CronCommand.NEXT.line(question)).matches("invalid\t[a-z-]+\t[0-9]+\t.+");
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("C1: calendars check --batch")
    void included(String[] row) {
        String next = row[5].equals("none") ? "none" : instants(row[5]);
        assertThat(CalendarsCommand.CHECK.line(row)).as(String.join(" | ", row)).isEqualTo(row[4] + "\t" + next);
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("business-days --batch")
    void businessDays(String[] row) {
        assertThat(CalendarsCommand.BUSINESS_DAYS.line(row)).isEqualTo(row[3]);
    }
}
