package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
    private final ConsoleFixture console = ConsoleFixture.withoutStore();

    @TempDir
    private Path folder;

    @AfterEach
    void drop() {
        console.close();
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("jobs.conf"), text).toString();
    }

    private List<JobExecutionStatus> rows(String key) {
        try (Scheduler scheduler = console.scheduler()) {
            return scheduler.history(key);
        }
    }

    /** Until something holds. */
    private CommandResult runUntil(Callable<Boolean> there, String... arguments) {
        return console.runUntil(there, Map.of("COLUMNS", "80"), arguments);
    }

    private long goodRuns(String key) {
        return rows(key).stream()
                .filter(row -> row.outcome() == Outcome.SUCCEEDED)
                .count();
    }

    /** Whether so many jobs are stored, and each has come to its end. */
    private boolean haveEnded(int jobs) {
        MongoCollection<Document> stored = console.database().getCollection("jobSpecification");
        return stored.countDocuments() == jobs && stored.countDocuments(Filters.exists("activeKey")) == 0;
    }

    @Test
    @DisplayName(
            "8: run stores the declared jobs and runs them until it is told to end; a second start changes nothing")
    void run() throws IOException {
        String file = file("""
                almanac {
                  application = tills
                  jobs = [
                    { key = tick, cron = "* * * * * ?", type = log, body { message = "a \\u001b[2J line" }, tags = [a, b] }
                    { key = far, cron = "0 0 12 1 1 ? 2100", type = log }
                    { key = past, at = "2020-01-01T00:00:00Z", type = log }
                  ]
                }
                """);
        CommandResult told = runUntil(() -> goodRuns("tick") > 0, "run", file, "--label", "till 1");
        assertThat(told.err()).isEmpty();
        assertThat(told.exit()).isZero();
        assertThat(told.out())
                .startsWith("""
                        line 6, job 'past': its time has passed, it is ignored
                        jobs.conf: 2 jobs are stored in database '%s' at <host>
                        """.formatted(console.name()))
                .contains(
                        "this node runs the due jobs of type log in this database, of any application; Ctrl-C ends it\n")
                .contains("####-##-## ##:##:## UTC  tick  a \\u001b[2J line\n")
                .containsPattern("\nending(; runs in progress: 1)?\n")
                .endsWith("\nended\n");
        long runs = goodRuns("tick");
        CommandResult json = runUntil(() -> goodRuns("tick") > runs, "run", file, "--json");
        assertThat(json.out().lines())
                .isNotEmpty()
                .allMatch(line -> line.matches("\\{\"key\":\"tick\",\"id\":\"tick\",\"fireTime\":\".*\",\"attempt\":1,"
                        + "\"late\":false,\"text\":\"a .*line\"}"));
        assertThat(console.run("jobs", "show", "far", "--json").out())
                .contains("\"version\":1,", "\"applicationTag\":\"tills\"", "\"jobRequestor\":\"tills\"");
    }

    @Test
    @DisplayName(
            "R8: run says that it also runs jobs of other applications by their type, and leaves other types alone")
    void otherApplications() throws IOException {
        console.run("indexes", "create");
        for (String type : List.of("log", "shell", "report")) {
            String body = type.equals("shell") ? "{\"command\":[\"true\"]}" : "{}";
            console.schedule("by " + type, "--type", type, "--application", "shops", "--body", body);
            console.run("jobs", "run-now", "by " + type);
        }
        String file = file("almanac { application = tills, jobs = [] }");
        CommandResult told = runUntil(() -> goodRuns("by log") > 0, "run", file);
        assertThat(told.out())
                .contains("this node runs the due jobs of type log in this database, of any application;")
                .contains(" UTC  by log  ")
                .doesNotContain("by shell", "by report", "of types");
        CommandResult shell = runUntil(() -> goodRuns("by shell") > 0, "run", file, "--allow-shell");
        assertThat(shell.out())
                .contains("this node runs the due jobs of types log and shell in this database, of any application;");
        assertThat(goodRuns("by report")).isZero();
        String help = console.run("run", "--help").out().replaceAll("\\s+", " ");
        assertThat(help).contains("of any application");
    }

    @Test
    @DisplayName("R13: a declared job that has come to its end keeps no other job of the file from running")
    void startedAgain() throws IOException {
        String list = """
                almanac {
                  application = tills
                  jobs = [
                    { key = short, every = 1s, max-fires = 1, end = "%s", type = log }
                    %s
                  ]
                }
                """;
        assertThat(runUntil(() -> haveEnded(1), "run", file(list.formatted("2100-01-01T00:00:00Z", "")))
                        .exit())
                .isZero();
        // as if it had been declared so, long ago
        String end = "2020-01-01T00:00:00Z";
        console.database()
                .getCollection("jobSpecification")
                .updateOne(Filters.exists("_id"), Updates.set("endAt", Date.from(Instant.parse(end))));
        String file = file(list.formatted(end, "{ key = tick, cron = \"* * * * * ?\", type = log }"));
        CommandResult told = runUntil(() -> goodRuns("tick") > 0, "run", file);
        assertThat(told.err()).isEmpty();
        assertThat(told.exit()).isZero();
        assertThat(console.run("reconcile", file, "--json").out())
                .contains("\"created\":[],\"updated\":[],\"unchanged\":[\"short\",\"tick\"]");
        String never = "{ key = other, every = 1s, end = \"2020-01-01T00:00:00Z\", type = log }";
        assertThat(console.run("reconcile", file(list.formatted(end, never))).err())
                .startsWith("almanac: jobs.conf was refused, nothing was written:\n  line 5, job 'other': ")
                .doesNotContain("'short'");
    }

    @Test
    @DisplayName("8: several runs on one database share the jobs: no fire is printed twice")
    void shared() throws IOException {
        String file =
                file("almanac { application = tills, jobs = [ { key = tick, cron = \"* * * * * ?\", type = log } ] }");
        List<CompletableFuture<CommandResult>> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            nodes.add(CompletableFuture.supplyAsync(
                    () -> runUntil(() -> goodRuns("tick") >= 3, "run", file), run -> new Thread(run).start()));
        }
        long printed = nodes.stream()
                .map(CompletableFuture::join)
                .flatMap(told -> told.out().lines())
                .filter(line -> line.contains("UTC  tick  tick"))
                .count();
        long runs = goodRuns("tick");
        assertThat(printed).isEqualTo(runs).isGreaterThanOrEqualTo(3);
        assertThat(rows("tick").stream()
                        .map(JobExecutionStatus::fireTime)
                        .filter(t -> t != null)
                        .distinct()
                        .count())
                .isGreaterThanOrEqualTo(runs);
    }

    @Test
    @DisplayName("8: shell is off unless it is allowed; then its lines are printed, and its exit code counts")
    void shell() throws IOException {
        String file = file("""
                almanac { application = tills, jobs = [
                  { key = good, cron = "* * * * * ?", max-fires = 1, type = shell
                    body { command = [sh, -c, "echo $ALMANAC_JOB_KEY $ALMANAC_ATTEMPT; echo two >&2"] } }
                  { key = bad, cron = "* * * * * ?", max-fires = 1, type = shell
                    body { command = [sh, -c, "echo broken; exit 3"] } }
                  { key = slow, cron = "* * * * * ?", max-fires = 1, type = shell, timeout = 500ms
                    body { command = [sh, -c, "sleep 60; echo late"] } }
                  { key = none, cron = "* * * * * ?", max-fires = 1, type = shell, body { command = [] } }
                ] }
                """);
        CommandResult refused = console.run("run", file);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err())
                .startsWith(
                        "almanac: jobs.conf was refused, nothing was written:\n  line 2, job 'good': type 'shell' is"
                                + " not run by this node, which runs log; add --allow-shell to start programs\n");
        CommandResult told = runUntil(() -> haveEnded(4), "run", file, "--allow-shell");
        assertThat(told.out())
                .contains("good  good 1\n", "good  two\n", "bad  broken\n")
                .doesNotContain("late");
        assertThat(rows("good").get(0).outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(rows("bad").get(0).error().message()).isEqualTo("exit code 3; last line: broken");
        assertThat(rows("slow").get(0).error().message()).contains("executionTimeout of PT0.5S");
        assertThat(rows("none").get(0).error().message()).contains("command = [program, argument ...]");
        assertIsGone("sleep 60", ProcessHandle.current()::descendants);
    }

    @Test
    @DisplayName("16.8: a line without end comes in pieces; what a program left in the background ends with it")
    void background() throws IOException {
        // of this process, so that no other one is found
        String sleep = "sleep 6" + ProcessHandle.current().pid();
        String file = file("""
                almanac { application = tills, jobs = [
                  { key = long, cron = "* * * * * ?", max-fires = 1, type = shell
                    body { command = [sh, -c, "head -c 5000 /dev/zero | tr '\\\\0' x"] } }
                  { key = left, cron = "* * * * * ?", max-fires = 1, type = shell
                    body { command = [sh, -c, "SLEEP & echo away; exit 0"] } }
                  { key = gone, cron = "* * * * * ?", max-fires = 1, type = shell, timeout = 500ms
                    body { command = [sh, -c, "(SLEEP & exec SLEEP) ; echo late"] } }
                  { key = absent, cron = "* * * * * ?", max-fires = 1, type = shell
                    body { command = [/no/such/program] } }
                ] }
                """.replace("SLEEP", sleep));
        CommandResult told = runUntil(() -> haveEnded(4), "run", file, "--allow-shell");
        assertThat(told.out())
                .contains("long  " + "x".repeat(2_000) + "\n", "long  " + "x".repeat(1_000) + "\n", "left  away\n")
                .doesNotContain("x".repeat(2_001), "late\n");
        assertThat(rows("left").get(0).outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(rows("absent").get(0).error().message()).contains("/no/such/program");
        assertIsGone(sleep, ProcessHandle::allProcesses);
    }

    /** A killed process is there until the system gets round to it. */
    private static void assertIsGone(String program, Supplier<Stream<ProcessHandle>> processes) {
        await().atMost(Duration.ofMinutes(5))
                .untilAsserted(() -> assertThat(processes.get())
                        .noneMatch(process ->
                                process.info().commandLine().orElse("").contains(program)));
    }

    @Test
    @DisplayName("16.8: programs get PATH, HOME, LANG, what was asked for, and their run; no other variable")
    void environment() throws IOException {
        String file = file("""
                almanac { application = tills, jobs = [
                  { key = env, cron = "* * * * * ?", max-fires = 1, type = shell, body { command = [env] } } ] }
                """);
        Map<String, String> here = Map.of(
                "COLUMNS", "300",
                "PATH", System.getenv("PATH"),
                "HOME", "/nowhere",
                "ALMANAC_URI", "mongodb://ann:s3cret@h",
                "TILL", "seven",
                "BANK_TOKEN", "t0ken");
        CommandResult told = console.runUntil(() -> haveEnded(1), here, "run", file, "--allow-shell", "--pass", "TILL");
        assertThat(told.out()
                        .lines()
                        .filter(line -> line.contains("env  ") && line.contains("="))
                        .map(line -> line.replaceFirst("^.*env  ", "").replaceFirst("=.*$", "")))
                .containsExactlyInAnyOrder(
                        "PATH",
                        "HOME",
                        "TILL",
                        "ALMANAC_JOB_KEY",
                        "ALMANAC_JOB_ID",
                        "ALMANAC_FIRE_TIME",
                        "ALMANAC_ATTEMPT",
                        "ALMANAC_FENCING_NUMBER");
        assertThat(told.all()).contains("env  TILL=seven").doesNotContain("s3cret", "t0ken");
    }

    @Test
    @DisplayName(
            "16.6: the database is that of --database, else of the URI, else of the file, else almanac; it is reported")
    void database() throws IOException {
        String jobs = "application = tills, jobs = [ { key = far, cron = \"0 0 12 1 1 ? 2100\", type = log } ]";
        String uri = console.uri().replaceFirst("/\\?", "/" + console.name() + "_uri?");
        assertThat(uri).contains("_uri?");
        String plain = file("almanac { " + jobs + " }");
        assertThat(CommandResult.by(Map.of("ALMANAC_URI", uri), "indexes", "create")
                        .exit())
                .isZero();
        assertThat(CommandResult.by(Map.of("ALMANAC_URI", uri), "reconcile", plain)
                        .out())
                .startsWith("database '" + console.name() + "_uri' at <host>\n");
        assertThat(CommandResult.by(Map.of(), "reconcile", plain, "--uri", uri, "--json")
                        .out())
                .contains("\"database\":\"" + console.name() + "_uri\"", "\"unchanged\":[\"far\"]");
        String named = file("almanac { store { database = " + console.name() + "_file }, " + jobs + " }");
        assertThat(CommandResult.by(Map.of(), "run", named, "--uri", uri, "--for", "100ms")
                        .out())
                .contains("stored in database '" + console.name() + "_uri' at <host>\n");
        assertThat(CommandResult.by(Map.of(), "run", named, "--uri", console.uri(), "--for", "100ms")
                        .out())
                .contains("stored in database '" + console.name() + "_file' at <host>\n");
        assertThat(console.run("run", named, "--for", "100ms").out())
                .contains("stored in database '" + console.name() + "' at <host>\n");
        console.drop(console.name() + "_uri", console.name() + "_file");
    }

    @Test
    @DisplayName("15.9: a second list of jobs in a file is refused: the first would be lost, and its jobs cancelled")
    void twoLists() throws IOException {
        String one = "{ key = a, cron = \"0 0 12 1 1 ? 2100\", type = log }";
        String other = "{ key = b, cron = \"0 0 12 1 1 ? 2100\", type = log }";
        for (String text : List.of(
                "almanac { application = tills\n jobs = [" + one + "]\n jobs = [" + other + "] }",
                "almanac { application = tills, jobs = [" + one + "] }\nalmanac.jobs = [" + other + "]",
                "almanac { jobs=[" + one + "]\njobs=[" + one + "]\napplication = tills }",
                "almanac.jobs = []\nalmanac { application = tills, jobs: [" + other + "] }")) {
            CommandResult told = console.run("reconcile", file(text));
            assertThat(told.exit()).as(text).isEqualTo(2);
            assertThat(told.err()).contains("almanac.jobs: is given twice");
        }
        String both = "almanac { application = tills, jobs = []\napplication = shops, jobs = [" + one + "] }";
        assertThat(console.run("reconcile", file(both)).err())
                .contains("almanac.jobs: is given twice", "almanac.application: is given twice");
        assertThat(console.run("indexes", "create").exit()).isZero();
        assertThat(console.run(
                                "reconcile",
                                file("almanac { application = tills }\nalmanac { jobs = [" + one + "," + other + "] }"))
                        .exit())
                .isZero();
    }

    @Test
    @DisplayName("16.7: a variable of the environment does not come into a job, nor does what lies elsewhere")
    void leaks() throws IOException {
        String name = "PATH";
        CommandResult told = console.run(
                "reconcile",
                file("almanac { application = a, jobs = [ { key = k, cron ="
                        + " \"0 0 12 1 1 ? 2100\", type = log, body { message = ${" + name + "} } } ] }"));
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.err()).contains("variables of the environment are read for almanac.store.uri only");
        CommandResult url = console.run("reconcile", file("include url(\"http://127.0.0.1:1/jobs.conf\")"));
        assertThat(url.err()).contains("include url(...)", "only files in the folder of the file");
        CommandResult secret = console.run("reconcile", file("almanac { store { uri = \"s3cret }"));
        assertThat(secret.exit()).isEqualTo(2);
        assertThat(secret.all()).doesNotContain("s3cret");
        assertThat(console.run("calendars", "put", "x", "--file", file("kind = \"s3cret"))
                        .all())
                .contains("is not well-formed HOCON")
                .doesNotContain("s3cret");
    }

    @Test
    @DisplayName("8: the file may hold settings under the same prefix; wrong ones are reported with the wrong jobs")
    void settings() throws IOException {
        String jobs = "application = tills, jobs = [ { key = far, cron = \"0 0 12 1 1 ? 2100\", type = log } ]";
        String file = file("almanac { zone = Asia/Tokyo, label = till 7, store { uri = \"" + console.uri()
                + "\", database = " + console.name() + " }, " + jobs + " }");
        CommandResult told = CommandResult.by(Map.of(), "run", file, "--for", "300ms");
        assertThat(told.err()).isEmpty();
        assertThat(console.run("jobs", "show", "far").out()).contains("12:00:00 Asia/Tokyo (2100-01-01 03:00:00 UTC)");
        assertThat(console.run("nodes").out()).contains("till 7");
        CommandResult wrong = CommandResult.by(
                Map.of(),
                "run",
                file(
                        "almanac { poll-intervall = 1 s, zone = Mars, store { uri = \"mongodb://ann:s3cret@h\" }, jobs = 5 }"));
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.all())
                .contains("did you mean almanac.poll-interval?", "almanac.zone = Mars", "almanac.jobs is no list")
                .doesNotContain("s3cret", "\tat ");
    }

    @Test
    @DisplayName("8: all that is wrong with a file is told at once, with lines; nothing is stored")
    void wrong() throws IOException {
        assertThat(console.run("run", folder.resolve("none.conf").toString()).err())
                .endsWith("none.conf does not exist\n");
        assertThat(console.run("run", file("almanac { jobs = [ { cron = 0 0 * * * ? } ]"))
                        .err())
                .contains("jobs.conf:1: ", "is not well-formed HOCON")
                .hasLineCount(1);
        assertThat(console.run("run", file("jobs = []")).err())
                .isEqualTo("almanac: jobs.conf declares no jobs; write almanac { application = billing,"
                        + " jobs = [ ... ] }\n");
        assertThat(console.run("run", file("""
                almanac {
                  aplication = tills
                  jobs = [
                    { key = a, tpye = log }
                    7
                    { key = a, type = log }
                  ]
                }
                """)).err()).isEqualTo("""
                almanac: jobs.conf was refused, nothing was written:
                  line 2: almanac.aplication is not known; did you mean almanac.application?
                  almanac.application is missing: the tag that marks the jobs of this file
                  line 4: tpye is not known; did you mean type?
                  line 5: is no job; write { key = a, cron = "0 0 12 * * ?", ... }
                  line 6: the key 'a' is that of line 4, too
                """);
        assertThat(console.run("run", file("""
                almanac { application = tills, jobs = [
                  { key = a, cron = "0 0 25 * * ?", type = log, threshold = abc, body = 5 }
                  { at = 15m, type = log, body = "{" }
                  { key = c, type = log, cron = "0 0 12 * * ?" }
                ] }
                """)).err()).isEqualTo("""
                almanac: jobs.conf was refused, nothing was written:
                  line 2, job 'a': cron '0 0 25 * * ?' hour, column 5: beyond 0-23 (found '25')
                  line 2, job 'a': body '5' is no object; write {"name": "value"}
                  line 2, job 'a': threshold 'abc' is no duration; write 30s, 5m, 2h, 1d, or PT5M
                  line 3, a job without key: key is required
                  line 3, a job without key: at '15m' counts from now, so it is different each time; write an absolute time
                  line 3, a job without key: body '{' is no JSON: Unexpected end-of-input: expected close marker for Object; write {"name": "value"}
                """);
        assertThat(console.database().getCollection("jobSpecification").countDocuments())
                .isZero();
        assertThat(console.run("run", file("almanac { application = a, jobs = [] }"), "--drain", "soon")
                        .err())
                .isEqualTo("almanac: --drain 'soon' is no duration; write 30s, 5m, 2h, 1d, or PT5M\n");
    }

    @Test
    @DisplayName(
            "8, M1: no kind of problem of a file hides another: fields, groups, keys, types, values, what a node refuses")
    void wrongInAllWays() throws IOException {
        String wrong = file("""
                almanac { application = tills, groups { bank { size = none } }
                  jobs = [
                    { key = a, cron = "0 0 12 * * ?", type = shell, prio = 3 }
                    { key = b, cron = "0 0 25 * * ?", type = log }
                    { key = c, cron = "0 0 12 * * ?", type = log, priority = 9 }
                    { key = c, cron = "0 0 12 * * ?", type = log, calendars = [gone] }
                  ]
                }
                """);
        CommandResult told = console.run("run", wrong);
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.err().lines())
                .satisfiesExactly(
                        head -> assertThat(head).isEqualTo("almanac: jobs.conf was refused, nothing was written:"),
                        field -> assertThat(field).isEqualTo("  line 3: prio is not known; did you mean priority?"),
                        key -> assertThat(key).isEqualTo("  line 6: the key 'c' is that of line 5, too"),
                        group -> assertThat(group)
                                .isEqualTo("  line 1: group 'bank': the size 'none' is no whole number"),
                        type -> assertThat(type).startsWith("  line 3, job 'a': type 'shell' is not run by this node"),
                        value -> assertThat(value).startsWith("  line 4, job 'b': cron '0 0 25 * * ?' "),
                        refused -> assertThat(refused).startsWith("  line 5, job 'c': priority '9' "),
                        second -> assertThat(second).startsWith("  line 6, job 'c': calendars 'gone' "));
        assertThat(console.database().getCollection("jobSpecification").countDocuments())
                .isZero();
        String type =
                "almanac { application = tills, poll-interval = soon\njobs = [ { key = a, type = shell, threshold = abc } ] }";
        assertThat(console.run("run", file(type)).err())
                .as("settings that are wrong name no server to ask")
                .contains(
                        "line 1: almanac.poll-interval = soon: ",
                        "line 2, job 'a': type 'shell' ",
                        "line 2, job 'a': threshold 'abc' ");
    }

    @Test
    @DisplayName("R14: a signal lets the runs of the node end before the process does")
    void signal() throws Exception {
        String file = file("""
                almanac { application = tills, jobs = [
                  { key = slow, cron = "* * * * * ?", max-fires = 1, type = shell
                    body { command = [sh, -c, "echo begun; until test -e '%s'; do sleep 0.1; done; echo done"] } }
                ] }
                """.formatted(folder.resolve("go on")));
        ProcessBuilder builder = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.almanac.console.Main",
                        "run",
                        file,
                        "--allow-shell",
                        "--uri",
                        console.uri(),
                        "--database",
                        console.name())
                .redirectErrorStream(true);
        // with such options Java says so on its error stream
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        Process process = builder.start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                // the log tells of fires that a slow start has missed
                if (!line.contains(" WARN ")) {
                    lines.add(CommandResult.alike(line));
                }
                if (line.endsWith("slow  begun")) {
                    process.toHandle().destroy();
                } else if (line.startsWith("ending")) {
                    Files.createFile(folder.resolve("go on"));
                }
            }
        }
        process.waitFor();
        assertThat(lines)
                .containsSubsequence(
                        "####-##-## ##:##:## UTC  slow  begun",
                        "ending; runs in progress: 1",
                        "####-##-## ##:##:## UTC  slow  done",
                        "ended")
                .containsExactlyInAnyOrder(
                        "jobs.conf: 1 jobs are stored in database '" + console.name() + "' at <host>",
                        "this node runs the due jobs of types log and shell in this database, of any application; Ctrl-C ends it",
                        "####-##-## ##:##:## UTC  slow  begun",
                        "ending; runs in progress: 1",
                        "####-##-## ##:##:## UTC  slow  done",
                        "ended");
        assertThat(rows("slow").get(0).outcome()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    @DisplayName("8: run refuses a file whose failure commands or follow-ups it does not run")
    void otherTypes() throws IOException {
        String file = file("""
                almanac { application = tills, jobs = [
                  { key = a, cron = "0 0 12 1 1 ? 2100", type = log, failure-type = tell }
                  { key = b, cron = "0 0 12 1 1 ? 2100", type = log
                    on-success = [ { key = "{key} 2", at = now, type = log
                      on-failure = [ { key = "{key} 3", at = now, type = mail } ] } ] }
                ] }
                """);
        CommandResult refused = console.run("run", file, "--for", "1ms");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err())
                .contains("line 2, job 'a': failure command type 'tell' is not run by this node, which runs log\n")
                .contains(
                        "line 3, job 'b': follow-up '{key} 2': follow-up '{key} 3': type 'mail' is not run by this node");
    }
}
