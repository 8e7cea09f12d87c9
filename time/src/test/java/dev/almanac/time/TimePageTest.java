package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the examples of docs/time.md. */
class TimePageTest {

    @TestFactory
    @DisplayName("T1 to T3, 4.2: what docs/time.md says is so")
    Stream<DynamicTest> examples() throws IOException {
        return rows().map(row -> DynamicTest.dynamicTest(String.join(" ", row.subList(0, 5)), () -> check(row)));
    }

    @Test
    @DisplayName("the page has its examples")
    void examples_are_found() throws IOException {
        assertThat(rows()).hasSize(28);
    }

    @Test
    @DisplayName("T3: the message that the page shows is the message")
    void message() throws IOException {
        InvalidCronException e = catchThrowableOfType(
                InvalidCronException.class, () -> CronExpression.parse("0 0 0 * * *", CronDialect.QUARTZ));
        assertThat(page()).contains(e.getMessage());
    }

    @Test
    @DisplayName("4.2: the module needs no scheduler: the page's example")
    void alone() {
        // snippet: exact-cron
        CronExpression lastWorkday = CronExpression.parse("0 30 2 LW * ?", CronDialect.QUARTZ);
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        Instant after = Instant.parse("2026-01-31T00:00:00Z");
        Optional<Instant> next = lastWorkday.next(after, berlin, DaylightSavingPolicy.RUN_ONCE);
        Optional<Instant> previous = lastWorkday.previous(after, berlin, DaylightSavingPolicy.RUN_ONCE);
        // end
        assertThat(next).contains(Instant.parse("2026-02-27T01:30:00Z"));
        assertThat(previous).contains(Instant.parse("2026-01-30T01:30:00Z"));
    }

    private static Stream<List<String>> rows() throws IOException {
        return page().lines()
                .filter(line -> line.startsWith("| QUARTZ | `") || line.startsWith("| UNIX | `"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList());
    }

    private static String page() throws IOException {
        return Files.readString(Path.of(System.getProperty("almanac.root"), "docs", "time.md"));
    }

    private static void check(List<String> row) {
        CronDialect dialect = CronDialect.valueOf(row.get(0));
        if (row.get(5).startsWith("refused: ")) {
            InvalidCronException e =
                    catchThrowableOfType(InvalidCronException.class, () -> CronExpression.parse(row.get(1), dialect));
            assertThat("refused: " + e.field()).isEqualTo(row.get(5));
            return;
        }
        CronExpression cron = CronExpression.parse(row.get(1), dialect);
        List<String> expected = List.of(row.get(5).split(", "));
        ZoneId zone = ZoneId.of(row.get(2));
        DaylightSavingPolicy policy = DaylightSavingPolicy.valueOf(row.get(3));
        assertThat(Vectors.fires(Instant.parse(row.get(4)), expected.size(), at -> cron.next(at, zone, policy)))
                .isEqualTo(expected);
    }
}
