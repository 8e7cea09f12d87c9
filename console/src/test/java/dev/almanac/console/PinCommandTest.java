package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fields that are pinned from the command line (rule S26). */
class PinCommandTest {
    private static final String FILE = """
            almanac {
              application = shop
              jobs = [ { key = fees, cron = "0 0 2 1 1 ? 2100", zone = UTC, type = report, priority = 5 } ]
            }
            """;

    private final ConsoleFixture console = ConsoleFixture.withStore();

    @TempDir
    Path folder;

    @AfterEach
    void drop() {
        console.close();
    }

    private String reconcile() throws IOException {
        Path file = Files.writeString(folder.resolve("shop.conf"), FILE);
        CommandResult result = console.run("reconcile", file.toString(), "--yes");
        assertThat(result.err()).isEmpty();
        return result.out();
    }

    private String update(String... options) {
        String[] whole = new String[options.length + 5];
        System.arraycopy(new String[] {"jobs", "update", "fees", "--author", "ann"}, 0, whole, 0, 5);
        System.arraycopy(options, 0, whole, 5, options.length);
        CommandResult result = console.run(whole);
        return result.out() + result.err();
    }

    @Test
    @DisplayName("S26: update --pin holds against reconcile; show, list, doctor and JSON show the pin, until --unpin")
    void pinned() throws IOException {
        reconcile();
        assertThat(update("--cron", "0 0 3 1 1 ? 2100", "--pin", "--reason", "INC-7"))
                .startsWith("fees: schedulingSpecification: 0 0 2 1 1 ? 2100 -> 0 0 3 1 1 ? 2100;"
                        + " pinned: schedulingSpecification\n1 done");
        update("--priority", "1");
        reconcile();
        String shown = console.run("jobs", "show", "fees").out();
        assertThat(shown).contains("0 0 3 1 1 ? 2100", "pinned", "schedulingSpecification by ann (INC-7) at ");
        assertThat(shown).as("not pinned").containsPattern("priority +5");
        assertThat(console.run("jobs", "show", "fees", "--json").out())
                .contains(
                        "\"pins\":[{\"fields\":[\"schedulingSpecification\"],\"author\":\"ann\",\"reason\":\"INC-7\",\"at\":\"");
        assertThat(console.run("jobs", "list").out()).contains("\n  pinned: schedulingSpecification\n");
        assertThat(console.run("doctor").out())
                .contains("ALM-046 schedulingSpecification of job 'fees' is pinned since ")
                .contains("almanac jobs update 'fees' --unpin");
        assertThat(update("--unpin", "--dry-run"))
                .startsWith("fees: would be done: unpinned: schedulingSpecification\n1 would be done");
        assertThat(update("--unpin")).startsWith("fees: unpinned: schedulingSpecification\n1 done");
        assertThat(update("--unpin")).contains("fees: unchanged, has no pinned field\n0 done, 1 unchanged");
        assertThat(console.run("jobs", "list").out()).doesNotContain("pinned");
        assertThat(console.run("doctor").out()).doesNotContain("ALM-046");
        assertThat(reconcile()).contains("updated    1");
        assertThat(console.run("jobs", "show", "fees").out())
                .contains("0 0 2 1 1 ? 2100")
                .doesNotContain("pinned");
    }

    @Test
    @DisplayName("S26: a field is pinned by its name, also if it has the value already; --until is shown")
    void asItIs() throws IOException {
        reconcile();
        assertThat(update("--cron", "0 0 2 1 1 ? 2100", "--no-calendar", "--pin", "--until", "2099-01-01T12:00"))
                .startsWith("fees: pinned: calendars, schedulingSpecification until 2099-01-01T12:00:00Z\n1 done");
        assertThat(console.run("jobs", "show", "fees").out()).contains(", until 2099-01-01 12:00:00 UTC");
        assertThat(update("--body", "{\"a\":1}", "--pin")).contains("pinned: triggerCommand");
    }

    @Test
    @DisplayName("S26: what contradicts itself is refused, and nothing is changed")
    void refused() throws IOException {
        reconcile();
        assertThat(update("--pin")).contains("what is to be changed?");
        assertThat(update("--priority", "1", "--until", "2h")).contains("--until is the end of a pin; add --pin");
        assertThat(update("--priority", "1", "--pin", "--until", "2020-01-01T00:00Z"))
                .contains("which has passed");
        assertThat(update("--priority", "1", "--unpin")).contains("--unpin stands alone");
        assertThat(console.run("jobs", "show", "fees").out()).containsPattern("version +1,");
    }
}
