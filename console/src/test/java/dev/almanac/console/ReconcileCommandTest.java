package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    @DisplayName("R13: a text of a file that looks like a number is taken as it is written")
    void asWritten() throws IOException {
        assertThat(console.run("reconcile", file(job("1.10", "report, tags = [007, 2.0]")))
                        .exit())
                .isZero();
        assertThat(console.run("jobs", "show", "1.10", "--json").out()).contains("\"007\",\"2.0\"");
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
    @DisplayName(
            "16: wall times of a follow-up are those of its parent's zone, and of its own if it has one, at any depth")
    void zoneOfFollowUps() throws IOException {
        String bounds = "cron = \"0 0 9 * * ?\", type = mail, start = \"2099-07-01T18:00\", end = \"2099-12-31T18:00\"";
        String declared = file("{ key = a, zone = Asia/Tokyo, type = report, " + "cron = \"0 0 12 1 1 ? 2100\","
                + " on-success = [ { key = b, " + bounds
                + ", on-success = [ { key = c, at = \"2100-01-01\", type = call } ] },"
                + " { key = d, zone = UTC, " + bounds + " } ] }");
        assertThat(console.run("reconcile", declared).exit()).isZero();
        List<JobSpecification> followUps = console.store()
                .find("a", FindScope.LIVE)
                .orElseThrow()
                .specification()
                .onSuccess();
        assertThat(followUps.get(0).startAt()).contains(Instant.parse("2099-07-01T09:00:00Z"));
        assertThat(followUps.get(0).endAt()).contains(Instant.parse("2099-12-31T09:00:00Z"));
        assertThat(followUps.get(1).startAt()).contains(Instant.parse("2099-07-01T18:00:00Z"));
    }

    @Test
    @DisplayName(
            "R13: a file that is not UTF-8 is refused with its line; the job whose key it cannot say is not cancelled")
    void notUtf8() throws IOException {
        Path file = Path.of(file(job("\"café\"", "report")));
        assertThat(console.run("reconcile", file.toString()).exit()).isZero();
        Files.write(file, Files.readString(file).getBytes(StandardCharsets.ISO_8859_1));
        CommandResult refused = console.run("reconcile", file.toString(), "--yes");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("nothing was written", "jobs.conf:2: is not UTF-8");
        assertThat(console.run("run", file.toString()).exit()).isEqualTo(2);
        assertThat(console.run("jobs", "list").out()).contains("café").doesNotContain("caf\ufffd");
        assertThat(console.run("jobs", "show", "café").exit()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"\"\" | is empty", "\" \" | is empty", "5 | is no text", "[a] | is no text", "null | is missing"})
    @DisplayName("R13: an application that is empty or no text is told as that, and nothing is cancelled")
    void application(String given, String told) throws IOException {
        Path file = Path.of(file(job("a", "report")));
        Files.writeString(file, Files.readString(file).replace("application = tills", "application = " + given));
        CommandResult refused = console.run("reconcile", file.toString());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("almanac.application " + told).doesNotContain("applicationTag");
    }

    @Test
    @DisplayName("R13: null in the list of jobs is no job, and is refused with its line")
    void nullJob() throws IOException {
        for (String command : List.of("reconcile", "run")) {
            CommandResult refused = console.run(command, file(job("a", "report"), "null", job("b", "report")));
            assertThat(refused.exit()).isEqualTo(2);
            assertThat(refused.err()).contains("line 3: is no job; write { key = a");
        }
        assertThat(console.run("jobs", "list").out()).isEqualTo("no jobs\n");
    }

    @Test
    @DisplayName("R13: a field twice in a file in JSON is told as that")
    void fieldTwiceInJson() throws IOException {
        Path json = Files.writeString(
                folder.resolve("jobs.json"),
                "{\"almanac\": {\"application\": \"tills\", \"jobs\": [\n{\"key\": \"a\", \"key\": \"b\"}]}}");
        assertThat(console.run("reconcile", json.toString()).err()).contains("jobs.json:2: ", "no field stands twice");
    }

    @Test
    @DisplayName("M1: a field twice in a body is refused")
    void bodyTwice() {
        CommandResult refused = console.schedule("a", "--body", "{\"a\":1,\"a\":2}");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("--body", "Duplicate Object property \"a\"");
        assertThat(console.run("jobs", "list").out()).isEqualTo("no jobs\n");
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
    @DisplayName("S14: --dry-run shows a mass cancel, and is refused as without it, unless that is allowed")
    void massCancel() throws IOException {
        console.run("reconcile", file(job("a", "report"), job("b", "report")));
        CommandResult told = console.run("reconcile", file(), "--dry-run");
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.out()).contains("canceled   2\n  a, b\nnothing was changed (--dry-run)\n");
        assertThat(told.err())
                .startsWith("almanac: jobs.conf was refused, nothing was written:\n  2 stored jobs are not in it")
                .contains("add --allow-mass-cancel");
        CommandResult json = console.run("reconcile", file(), "--dry-run", "--json");
        assertThat(json.exit()).isEqualTo(2);
        assertThat(json.out()).endsWith(",\"massCancel\":true,\"dryRun\":true}\n");
        assertThat(console.run("reconcile", file(), "--dry-run", "--allow-mass-cancel")
                        .exit())
                .isZero();
        assertThat(console.run("jobs", "list").out()).contains("\na ", "\nb ");
    }

    @Test
    @DisplayName(
            "R13: a key of a follow-up that looks like a number is taken as it is written, and a number in a body is one")
    void followUpAsWritten() throws IOException {
        String next = "on-success = [ { key = 2.50, at = now, type = mail, body = { amount = 1.10 } } ]";
        assertThat(console.run("reconcile", file(job("a", "report, " + next))).exit())
                .isZero();
        assertThat(console.run("jobs", "show", "a", "--json").out())
                .contains("\"onSuccess\":[{\"jobSpecificationKey\":\"2.50\"", "\"amount\":1.1");
    }

    @Test
    @DisplayName("R13: all that is wrong is told at once, with lines, also with --dry-run; nothing is written")
    void refused() throws IOException {
        console.schedule("x", "--application", "shops");
        assertThat(console.run("reconcile", file(job("a", "report"), job("x", "report"))))
                .isEqualTo(new CommandResult(2, "", """
                almanac: jobs.conf was refused, nothing was written:
                  line 3, job 'x': application 'shops' owns the live job of this key; use another key, or cancel that job if it is to be declared here
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
    @DisplayName("R13, M1: what is wrong with the file, with a job and with what is stored is told at once")
    void refusedForAll() throws IOException {
        console.schedule("x", "--application", "shops");
        String wrong = file(job("x", "report"), job("b", "report, priority = 9"), job("c", "report, prio = 1"));
        assertThat(console.run("reconcile", wrong).err())
                .contains(
                        "\n  line 4: prio is not known; did you mean priority?\n",
                        "\n  line 2, job 'x': application 'shops' owns the live job of this key; use another key,",
                        "\n  line 3, job 'b': priority '9' ")
                .hasLineCount(4);
        assertThat(console.run("jobs", "list", "--where-application", "tills").out())
                .isEqualTo("no jobs\n");
    }

    @Test
    @DisplayName("R13: a server that does not answer hides nothing that is wrong with the file by itself")
    void refusedWithoutServer() throws IOException {
        String[] nowhere = {"--uri", "mongodb://127.0.0.1:1", "--patience", "400ms"};
        String wrong = file(job("a", "report, prio = 1"), "{ key = c, type = t, threshold = abc }");
        assertThat(CommandResult.by(Map.of(), "reconcile", wrong, nowhere[0], nowhere[1], nowhere[2], nowhere[3])
                        .err())
                .contains("line 2: prio is not known", "line 3, job 'c': threshold 'abc' ")
                .hasLineCount(3);
        assertThat(CommandResult.by(
                                Map.of(),
                                "reconcile",
                                file(job("a", "report")),
                                nowhere[0],
                                nowhere[1],
                                nowhere[2],
                                nowhere[3])
                        .err())
                .contains("no MongoDB server answers");
    }

    @Test
    @DisplayName("R13: what is wrong in an included file is told with the name of that file")
    void refusedInIncludedFile() throws IOException {
        Files.writeString(folder.resolve("more.conf"), """
                almanac.jobs += { key = b, cron = x, type = t }
                almanac.jobs += { key = b, cron = "0 0 12 1 1 ? 2100", type = t, prio = 3 }
                almanac.poll-interval = soon
                """);
        String wrong = file(job("a", "report, priority = 9"));
        Files.writeString(Path.of(wrong), "include \"more.conf\"\n", StandardOpenOption.APPEND);
        CommandResult told = console.run("reconcile", wrong);
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.err())
                .contains(
                        "\n  more.conf, line 2: prio is not known; did you mean priority?",
                        "\n  more.conf, line 3: almanac.poll-interval = soon: ",
                        "\n  more.conf, line 2: the key 'b' is that of more.conf, line 1, too");
        Files.writeString(folder.resolve("more.conf"), "almanac.jobs += { key = b, cron = x, type = t }\n");
        assertThat(console.run("reconcile", wrong).err())
                .contains("\n  line 2, job 'a': priority '9' ", "\n  more.conf, line 1, job 'b': cron 'x' ");
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
        assertThat(console.run(
                                "reconcile",
                                file("{ key = q, at = \"2020-01-01T00:00:00Z\", type = report, on-success ="
                                        + " [ { key = r, at = \"2020-01-02T00:00:00Z\", type = report } ] }"))
                        .out())
                .startsWith("line 2, job 'q': its time has passed, it is ignored\n");
        console.run("reconcile", file("{ key = p, at = \"2100-01-01T00:00:00Z\", type = report }"));
        assertThat(console.run("reconcile", file(past), "--json").out())
                .isEqualTo(json("", "", "\"p\"", "", false).replace("\"dryRun", "\"passed\":[\"p\"],\"dryRun"));
        assertThat(console.run("reconcile", file(), "--json", "--yes", "--allow-mass-cancel")
                        .out())
                .isEqualTo(json("", "", "", "\"p\"", false).replace("\"dryRun", "\"massCancel\":true,\"dryRun"));
    }

    @Test
    @DisplayName("R13: a one-off whose moment has passed, and that its calendars move to one ahead, is stored")
    void movedAhead() throws IOException {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        LocalDateTime today = LocalDateTime.ofInstant(now, ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS);
        String closed = "exclude-ranges=" + today.minusDays(2) + "/" + today.plusDays(3) + ";timezone=UTC";
        console.run("calendars", "put", "closed", "Range", closed, "--author", "ann");
        String moved = "{ key = p, at = \"" + now.minus(Duration.ofHours(1)) + "\", zone = UTC, calendars = [closed],"
                + " calendar-policy = FOLLOWING, type = report";
        assertThat(console.run("reconcile", file(moved + " }"), "--json").out())
                .isEqualTo(json("\"p\"", "", "", "", false));
        assertThat(console.run("reconcile", file(moved + ", priority = 0 }"), "--json")
                        .out())
                .isEqualTo(json("", "\"p\"", "", "", false));
        CommandResult wrong = console.run("reconcile", file(moved + ", priority = 8 }"));
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("\n  line 2, job 'p': priority '8' ").hasLineCount(2);
    }

    @Test
    @DisplayName(
            "R13: a one-off whose moment has passed is ignored, also if its key is that of another requestor by now")
    void passedAndUsed() throws IOException {
        console.schedule("p");
        CommandResult done =
                console.run("reconcile", file("{ key = p, at = \"2020-05-01T12:00:00Z\", type = report }"), "--json");
        assertThat(done.exit()).as(done.all()).isZero();
        assertThat(done.out()).contains("\"passed\":[\"p\"]", "\"canceled\":[]");
    }

    @Test
    @DisplayName("R13, M1: jobs without a key are told with their lines, and hide no other problem")
    void withoutKey() throws IOException {
        String none = "{ cron = \"0 0 12 1 1 ? 2100\", type = report }";
        assertThat(console.run("reconcile", file(job("a", "report"), none)).err())
                .isEqualTo("almanac: jobs.conf was refused, nothing was written:\n"
                        + "  line 3, a job without key: key is required\n");
        assertThat(console.run("reconcile", file(none, none, job("b", "report, priority = 8")))
                        .err())
                .contains(
                        "line 2, a job without key: ", "line 3, a job without key: ", "line 4, job 'b': priority '8' ");
    }

    @Test
    @DisplayName("R13: a file that does not say whose its jobs are is refused for that, not for each stored job")
    void withoutApplication() throws IOException {
        console.run("reconcile", file(job("a", "report"), job("b", "report")));
        String nameless = Files.readString(Path.of(file(job("a", "report"), job("b", "report, priority = 8"))))
                .replace("application = tills, ", "");
        Path file = Files.writeString(folder.resolve("nameless.conf"), nameless);
        assertThat(console.run("reconcile", file.toString()).err())
                .contains("\n  almanac.application is missing", "\n  line 3, job 'b': priority '8' ")
                .hasLineCount(3);
    }

    @Test
    @DisplayName("8: a delay of a file is a duration as every other")
    void delay() throws IOException {
        console.run("reconcile", file("{ key = d, every-after-end = 1d, type = report }"));
        assertThat(console.run("jobs", "show", "d", "--json").out()).contains("\"PT24H\"");
    }

    @Test
    @DisplayName("R13: a key that is given twice is told, also of jobs that are made of a template of another file")
    void twiceByTemplate() throws IOException {
        Files.writeString(folder.resolve("defaults.conf"), "defaults { type = report }\n");
        String file = file("${defaults} { key = a, every = 1h }", "${defaults} { key = a, every = 2h }");
        Files.writeString(Path.of(file), "include \"defaults.conf\"\n" + Files.readString(Path.of(file)));
        assertThat(console.run("reconcile", file).err())
                .contains("\n  the key 'a' is that of another job, too")
                .doesNotContain("-1");
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
