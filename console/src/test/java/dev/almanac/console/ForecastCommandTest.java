package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What will not be ordinary, as the command line says it. The window lies in 2100, so that no answer depends on the day. */
class ForecastCommandTest {
    private final ConsoleFixture console = ConsoleFixture.withStore();

    @BeforeEach
    void fill() {
        console.run("calendars", "put", "bank", "Holiday", "exclude-dates=2100-03-10");
        schedule("daily", "0 0 12 * * ?", "UTC", "--calendar", "bank", "--tag", "books");
        schedule("moved", "0 30 2 * * ?", "Europe/Brussels");
        schedule("ordinary", "0 30 3 * * ?", "Europe/Brussels");
        schedule("cancelled", "0 30 2 * * ?", "Europe/Brussels");
        console.run("jobs", "cancel", "cancelled");
        console.schedule("once", "--at", "2100-03-10T12:00:00Z");
    }

    private void schedule(String key, String cron, String zone, String... more) {
        List<String> options = new ArrayList<>(List.of("--cron", cron, "--zone", zone));
        options.addAll(List.of(more));
        assertThat(console.schedule(key, options.toArray(String[]::new)).exit()).isZero();
    }

    @AfterEach
    void close() {
        console.close();
    }

    private CommandResult march(String... more) {
        List<String> words = new ArrayList<>(List.of("forecast", "--from", "2100-03-01", "--next", "31d"));
        words.addAll(List.of(more));
        return console.run(words.toArray(String[]::new));
    }

    @Test
    @DisplayName(
            "S23: forecast shows a summary and the findings in the order of time, and no ordinary fire, one-off or cancelled job")
    void shown() {
        CommandResult answer = march();
        assertThat(answer.exit()).isZero();
        assertThat(answer.out().lines().map(String::strip))
                .contains(
                        "4 jobs, from 2100-03-01 00:00:00 UTC until 2100-04-01 00:00:00 UTC",
                        "MOVED_BY_GAP  1      1      2100-03-28 01:00:00",
                        "EXCLUDED      1      1      2100-03-10 12:00:00",
                        "calendar bank: daily",
                        "Europe/Brussels: 02:00 to 03:00 is left out: moved")
                .noneMatch(line -> line.contains("ordinary") || line.contains("once") || line.contains("cancelled"));
        assertThat(answer.out().indexOf("calendar bank"))
                .isLessThan(answer.out().indexOf("Europe/Brussels"));
        assertThat(console.run("forecast", "--from", "2100-03-11", "--next", "3d")
                        .out())
                .contains("every fire is an ordinary one");
    }

    @Test
    @DisplayName("S23: forecast is restricted to jobs and to a kind of findings, and goes on page by page")
    void pages() {
        assertThat(march("--where-tag", "books").out()).contains("daily").doesNotContain("moved");
        assertThat(march("--kind", "MOVED_BY_GAP").out())
                .contains("left out: moved")
                .doesNotContain("daily");
        CommandResult first = march("--limit", "1");
        assertThat(first.out())
                .contains("daily", "1 more follow: add --after 1")
                .doesNotContain("left out");
        assertThat(march("--limit", "1", "--after", "1").out())
                .contains("left out: moved")
                .doesNotContain("daily", "more follow");
    }

    @Test
    @DisplayName("S23: forecast --json has the findings, what they add up to, and what was not looked at")
    void json() {
        assertThat(march("--json", "--limit", "1").out().strip())
                .isEqualTo(
                        "{\"findings\":[{\"kind\":\"EXCLUDED\",\"at\":\"2100-03-10T12:00:00Z\",\"day\":\"2100-03-10\","
                                + "\"cause\":\"calendar bank\",\"jobs\":1,\"fires\":1,\"keys\":[\"daily\"]}],"
                                + "\"complete\":true,\"from\":\"2100-03-01T00:00:00Z\",\"until\":\"2100-04-01T00:00:00Z\",\"jobs\":4,\"totals\":["
                                + "{\"kind\":\"MOVED_BY_GAP\",\"times\":1,\"fires\":1,\"first\":\"2100-03-28T01:00:00Z\"},"
                                + "{\"kind\":\"EXCLUDED\",\"times\":1,\"fires\":1,\"first\":\"2100-03-10T12:00:00Z\"}],"
                                + "\"notExamined\":[\"no claiming node has reported its slots, so minutes with too many runs are not known\"],"
                                + "\"next\":1}");
    }

    @Test
    @DisplayName("S23: a job whose calendar only a service knows is counted, and the exit code stays 0")
    void unknown() {
        console.database().getCollection("calendar").deleteMany(new org.bson.Document());
        CommandResult answer = march();
        assertThat(answer.exit()).isZero();
        assertThat(answer.out()).contains("1 job: cannot be planned here", "left out: moved");
    }

    @Test
    @DisplayName("S23: a length, a page and a selection that make no sense are refused")
    void refused() {
        for (List<String> wrong : List.of(
                List.of("--next", "401d"),
                List.of("--next", "0s"),
                List.of("--after", "-1"),
                List.of("--limit", "0"),
                List.of("--where-tag", ""),
                List.of("--kind", "MOVED"))) {
            List<String> words = new ArrayList<>(List.of("forecast"));
            words.addAll(wrong);
            assertThat(console.run(words.toArray(String[]::new)).exit())
                    .as(wrong.toString())
                    .isEqualTo(2);
        }
    }
}
