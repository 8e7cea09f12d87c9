package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReconcileCommandTest {
    private static final String FAR = "cron = \"0 0 12 1 1 ? 2100\", type = ";

    private final ConsoleFixture console = ConsoleFixture.withStore();

    @TempDir
    private Path folder;

    @AfterEach
    void drop() {
        console.close();
    }

    /** A file of the application tills; each job is one line from the second on. */
    private String file(String... jobs) throws IOException {
        String text = "almanac { application = tills, jobs = [\n" + String.join("\n", jobs) + "\n] }\n";
        return Files.writeString(folder.resolve("jobs.conf"), text).toString();
    }

    private static String job(String key, String more) {
        return "{ key = " + key + ", " + FAR + more + " }";
    }

    private String json(String created, String updated, String unchanged, String canceled, boolean dryRun) {
        return "{\"application\":\"tills\",\"database\":\"" + console.name() + "\",\"created\":[" + created
                + "],\"updated\":[" + updated + "],\"unchanged\":[" + unchanged + "],\"canceled\":[" + canceled
                + "],\"dryRun\":" + dryRun + "}\n";
    }

    @Test
    @DisplayName("R13: reconcile makes the stored jobs of the application those of the file, and touches no others")
    void acts() throws IOException {
        console.schedule("foreign", "--application", "shops");
        console.schedule("alone");
        assertThat(console.run("reconcile", file(job("a", "report"), job("b", "report"), job("c", "report")))
                        .out())
                .isEqualTo("""
                database '%s' at <host>
                CHANGE     JOBS
                created    3
                  a, b, c
                updated    0
                unchanged  0
                canceled   0
                """.formatted(console.name()));
        String other = file(job("b", "report, priority = 2"), job("c", "report"), job("d", "report"));
        assertThat(console.run("reconcile", other, "--json", "--yes"))
                .isEqualTo(new CommandResult(0, json("\"d\"", "\"b\"", "\"c\"", "\"a\"", false), ""));
        assertThat(console.run("jobs", "list").out())
                .contains("\nalone ", "\nb ", "\nc ", "\nd ", "\nforeign ")
                .doesNotContain("\na ");
        assertThat(console.run("jobs", "show", "a", "--finished").out()).contains("state         CANCELED");
        assertThat(console.run("jobs", "show", "b", "--json").out()).contains("\"priority\":2,\"version\":2,");
        assertThat(console.run("reconcile", other, "--json").out())
                .isEqualTo(json("", "", "\"b\",\"c\",\"d\"", "", false));
        assertThat(console.run("jobs", "show", "c", "--json").out()).contains("\"version\":1,");
    }

    @Test
    @DisplayName(
            "16: a file declares follow-ups; the same again changes nothing; what is wrong with one is reported with its line")
    void followUps() throws IOException {
        String mail = "on-success = [ { key = \"{key} mail\", at = now, type = mail, body = { to = ann } } ]";
        String failed =
                "on-failure = [ { key = \"{key} {claim}\", every-after-end = 10m, max-fires = 1, type = call } ]";
        String declared = file(job("a", "report, " + mail + ", " + failed));
        assertThat(console.run("reconcile", declared, "--json").out()).isEqualTo(json("\"a\"", "", "", "", false));
        assertThat(console.run("reconcile", declared, "--json").out()).isEqualTo(json("", "", "\"a\"", "", false));
        assertThat(console.run("jobs", "show", "a").out())
                .contains("after success {key} mail (at once, mail)\n")
                .contains("after failure {key} {claim} (PT10M EVERY_AFTER_END, call)\n");
        assertThat(console.run("jobs", "show", "a", "--json").out())
                .contains("\"onSuccess\":[{\"jobSpecificationKey\":\"{key} mail\",\"jobRequestor\":\"tills\"")
                .contains("\"now\":true");
        CommandResult wrong =
                console.run("reconcile", file(job("a", "report, on-success = [ { key = b, at = 15m, typ = mail } ]")));
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("line 2, job 'a': on-success 'typ' is no field of a follow-up")
                .contains("onSuccess[0].singleSchedule '15m' counts from now");
        assertThat(console.run("reconcile", file(job("a", "report, on-success = [ { key = b, at = now } ]")))
                        .err())
                .contains("line 2, job 'a': onSuccess[0].triggerCommand is required");
    }

    @Test
    @DisplayName("R13: --dry-run tells the same, with exit code 0, and does nothing")
    void dryRun() throws IOException {
        console.run("reconcile", file(job("a", "report"), job("b", "report"), job("c", "report")));
        String before = console.run("jobs", "list", "--json").out();
        String other = file(job("b", "report, priority = 2"), job("c", "report"), job("d", "report"));
        assertThat(console.run("reconcile", other, "--dry-run"))
                .isEqualTo(new CommandResult(0, """
                database '%s' at <host>
                CHANGE     JOBS
                created    1
                  d
                updated    1
                  b
                unchanged  1
                  c
                canceled   1
                  a
                nothing was changed (--dry-run)
                """.formatted(console.name()), ""));
        assertThat(console.run("reconcile", other, "--dry-run", "--json").out())
                .isEqualTo(json("\"d\"", "\"b\"", "\"c\"", "\"a\"", true));
        assertThat(console.run("jobs", "list", "--json").out()).isEqualTo(before);
    }

    @Test
    @DisplayName("R13: all that is wrong is told at once, with lines, also with --dry-run; nothing is written")
    void refused() throws IOException {
        console.schedule("x", "--application", "shops");
        assertThat(console.run("reconcile", file(job("a", "report"), job("x", "report"))))
                .isEqualTo(new CommandResult(2, "", """
                almanac: jobs.conf was refused, nothing was written:
                  line 3, job 'x': application 'shops' owns the live job of this key
                """));
        String wrong = file(job("a", "report"), job("b", "report, priority = 9"), "{ key = c, cron = x, type = t }");
        CommandResult told = console.run("reconcile", wrong, "--dry-run");
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.err())
                .startsWith("almanac: jobs.conf was refused, nothing was written:\n  line 3, job 'b': priority '9' ")
                .contains("\n  line 4, job 'c': cron 'x' ")
                .hasLineCount(3);
        assertThat(console.run("jobs", "list", "--where-application", "tills").out())
                .isEqualTo("no jobs\n");
    }

    @Test
    @DisplayName("R13: a one-off whose moment has passed is not stored; one that is stored and waits is not cancelled")
    void passed() throws IOException {
        String past = "{ key = p, at = \"2020-01-01T00:00:00Z\", type = report }";
        assertThat(console.run("reconcile", file(past)).out()).isEqualTo("""
                line 2, job 'p': its time has passed, it is ignored
                database '%s' at <host>
                CHANGE     JOBS
                created    0
                updated    0
                unchanged  0
                canceled   0
                """.formatted(console.name()));
        console.run("reconcile", file("{ key = p, at = \"2100-01-01T00:00:00Z\", type = report }"));
        assertThat(console.run("reconcile", file(past), "--json").out()).isEqualTo(json("", "", "\"p\"", "", false));
        assertThat(console.run("reconcile", file(), "--json", "--yes", "--allow-mass-cancel")
                        .out())
                .isEqualTo(json("", "", "", "\"p\"", false));
    }

    @Test
    @DisplayName("M2: wall times of a job without a zone are read in the zone of the file, not in this machine's")
    void zoneOfTheFile() throws IOException {
        ZoneId kiritimati = ZoneId.of("Pacific/Kiritimati");
        LocalDateTime anHourAgo = LocalDateTime.now(kiritimati).minusHours(1).truncatedTo(ChronoUnit.MINUTES);
        Path file = Files.writeString(folder.resolve("jobs.conf"), """
                almanac {
                  zone = Pacific/Kiritimati
                  application = tills
                  jobs = [
                    { key = past, at = "%s", type = report }
                    { key = begins, every = 1h, start = "2100-01-02T10:00", type = report }
                    { key = own, every = 1h, start = "2100-01-02T10:00", zone = UTC, type = report }
                  ]
                }
                """.formatted(anHourAgo));
        assertThat(console.run("reconcile", file.toString()).out())
                .startsWith("line 5, job 'past': its time has passed, it is ignored\n")
                .contains("created    2\n  begins, own\n");
        assertThat(console.run("jobs", "show", "begins", "--json").out())
                .contains("\"zoneId\":\"Pacific/Kiritimati\"", "\"startAt\":\"2100-01-01T20:00:00Z\"");
        assertThat(console.run("jobs", "show", "own", "--json").out())
                .contains("\"zoneId\":\"UTC\"", "\"startAt\":\"2100-01-02T10:00:00Z\"");
    }

    @Test
    @DisplayName("ALM-005: a declared job whose document cannot be read is reported with exit code 1")
    void damaged() throws IOException {
        String file = file(job("a", "report"), job("b", "report"));
        console.run("reconcile", file);
        console.database()
                .getCollection("jobSpecification")
                .updateOne(new Document("activeKey", "b"), Document.parse("{$set: {zoneId: 'Mars/Olympus'}}"));
        CommandResult told = console.run("reconcile", file, "--dry-run");
        assertThat(told.exit()).isEqualTo(1);
        assertThat(told.err())
                .startsWith("almanac: ALM-005 ")
                .contains("job 'b'")
                .hasLineCount(1);
    }

    @Test
    @DisplayName("8: reconcile creates no store")
    void noStore() throws IOException {
        try (ConsoleFixture empty = ConsoleFixture.withoutStore()) {
            CommandResult told = empty.run("reconcile", file(job("a", "report")));
            assertThat(told.exit()).isEqualTo(2);
            assertThat(told.err()).contains("contains no Almanac store");
            assertThat(empty.database().listCollectionNames()).isEmpty();
        }
    }

    @Test
    @DisplayName("R13: run starts with what reconcile has stored, and cancels what the file does not have any more")
    void run() throws IOException {
        String both = file(job("a", "log, body { message = \"one\" }"), job("b", "log"));
        console.run("reconcile", both);
        console.schedule("foreign", "--application", "shops");
        assertThat(console.run("run", both, "--for", "200ms").out())
                .startsWith("jobs.conf: 2 jobs are stored in database '" + console.name() + "' at <host>\n");
        assertThat(console.run("jobs", "show", "a", "--json").out()).contains("\"version\":1,");
        assertThat(console.run("run", file(job("a", "log, body { message = two }")), "--for", "200ms")
                        .out())
                .startsWith("jobs.conf: 1 jobs are stored in database '" + console.name()
                        + "' at <host>; cancelled, since the file does not have them: b\n");
        assertThat(console.run("jobs", "show", "a", "--json").out()).contains("\"version\":2,");
        assertThat(console.run("jobs", "list").out())
                .contains("\na ", "\nforeign ")
                .doesNotContain("\nb ");
    }
}
