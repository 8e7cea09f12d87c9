package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.NewJob;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.contract.Specimens;
import dev.almanac.testkit.server.MongoServer;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What is typed wrong is answered in a line or two, with exit code 2 and without a stack trace. */
class ErrorMessagesTest {
    private static final Map<String, String> NOTHING = Map.of();

    private static CommandResult typed(String line) {
        return CommandResult.by(NOTHING, line.split(" "));
    }

    @Test
    @DisplayName("T3: cron check says where and what to write instead; what fires sixty times an hour has a hint")
    void cronCheck() {
        assertThat(CommandResult.by(NOTHING, "cron", "check", "0 0 12 * * *").err())
                .contains(
                        "day-of-week, column 12",
                        "(found '*')",
                        "perhaps '?' is meant",
                        "it is valid in the dialect SPRING");
        assertThat(CommandResult.by(NOTHING, "cron", "check", "0 0 12 * * *", "--dialect", "spring")
                        .out())
                .contains("valid: 0 0 12 * * *");
        assertThat(CommandResult.by(NOTHING, "cron", "check", "@every 5m").err())
                .contains("dialect EVERY", "'5m'");
        for (String plain : List.of("* 3 * * *", "* 3-5 * * *")) {
            assertThat(CommandResult.by(NOTHING, "cron", "check", plain, "--dialect", "unix")
                            .out())
                    .contains("valid: " + plain, "hint: fires every minute", "'0 3");
        }
        assertThat(CommandResult.by(NOTHING, "cron", "check", "0 * 3 * * ?", "--json")
                        .out())
                .contains("\"hint\"", "0 0 3 * * ?");
        for (String meant : List.of("* * * * *", "*/5 3 * * *", "0 3 * * *")) {
            assertThat(CommandResult.by(NOTHING, "cron", "check", meant, "--dialect", "unix")
                            .out())
                    .doesNotContain("hint");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "quartz | 0 0 9 30 2 ?",
                "unix | 0 9 31 2,4 *",
                "rrule | DTSTART:20260101T090000 RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"
            })
    @DisplayName(
            "M2: of an expression that no job may have check and describe say that it can never fire; its fires are none")
    void neverFires(String dialect, String text) {
        for (String command : List.of("check", "describe")) {
            CommandResult told = CommandResult.by(NOTHING, "cron", command, text, "--dialect", dialect);
            assertThat(told.out())
                    .contains("can never fire: no month or year that it names has such a day or time")
                    .doesNotContain(" at ");
            assertThat(told.exit()).isZero();
        }
        CommandResult next = CommandResult.by(NOTHING, "cron", "next", text, "--dialect", dialect);
        assertThat(next.out()).contains("none, no more fires");
        assertThat(next.exit()).isZero();
    }

    @ParameterizedTest
    @DisplayName("8: did you mean: commands, options and values that are not known")
    @CsvSource(delimiter = '|', textBlock = """
            jbos list                | almanac: 'jbos' is no command of almanac; did you mean jobs?                       | almanac
            jobs lsit                | almanac: 'lsit' is no command of almanac jobs; did you mean list?                  | almanac jobs
            jobs can                 | almanac: 'can' is no command of almanac jobs; did you mean cancel?                 | almanac jobs
            jobs xyzzy               | almanac: 'xyzzy' is no command of almanac jobs                                     | almanac jobs
            jobs list --stat A       | almanac: --stat is no option of almanac jobs list; did you mean --state?           | almanac jobs list
            jobs list x              | almanac: 'x' is too many arguments for almanac jobs list                            | almanac jobs list
            jobs show                | almanac: Missing required parameter: 'KEY'                                         | almanac jobs show
            jobs pause a             | almanac: Missing required option: '--reason=TEXT'                                  | almanac jobs pause
            jobs list --limit ten    | almanac: Invalid value for option '--limit': 'ten' is not an int                   | almanac jobs list
            jobs                     | almanac: one of list, show, history, explain, preview, schedule, update, rerun, acknowledge, cancel, pause, resume, pauses, run-now, remove, release is expected | almanac jobs
            indexes                  | almanac: create or verify is expected                                              | almanac indexes
            """)
    void words(String line, String complaint, String command) {
        assertThat(typed(line)).isEqualTo(new CommandResult(2, "", complaint + "\ntry: " + command + " --help\n"));
    }

    private static CommandResult printed(Writer out, String... words) {
        StringWriter err = new StringWriter();
        ProcessEnvironment process = new ProcessEnvironment(new PrintWriter(out), new PrintWriter(err), NOTHING, false);
        return new CommandResult(Main.run(process, words), out.toString(), err.toString());
    }

    @Test
    @DisplayName("8: an answer that cannot be written is no success, and standard error says so")
    void fullDisk() {
        String[] command = {"cron", "next", "0 0 12 * * ?"};
        Writer full = new FilterWriter(Writer.nullWriter()) {
            @Override
            public void flush() throws IOException {
                throw new IOException("No space left on device");
            }
        };
        CommandResult cut = printed(full, command);
        assertThat(cut.exit()).isEqualTo(1);
        assertThat(cut.err())
                .startsWith("almanac: standard output could not be written")
                .hasLineCount(1);
        CommandResult whole = printed(new StringWriter(), command);
        assertThat(whole.exit()).isZero();
        assertThat(whole.err()).isEmpty();
        assertThat(printed(full, "cron", "nxet").exit())
                .as("the first failure counts")
                .isEqualTo(2);
    }

    @Test
    @DisplayName("8: a state that is not known is answered with those that are")
    void values() {
        assertThat(typed("jobs list --state FALED").err())
                .isEqualTo("almanac: Invalid value for option '--state':"
                        + " expected one of [SCHEDULED, RETRYING, OWING, STORING_FOLLOW_UPS, CLAIMED, RUNNING, RECOVERING,"
                        + " PAUSED, BLOCKED, SUCCEEDED, FAILED, CANCELED] (case-insensitive) but was 'FALED';"
                        + " did you mean FAILED?\ntry: almanac jobs list --help\n");
    }

    @ParameterizedTest
    @DisplayName("8: values out of range, and moments and zones that are not understood")
    @CsvSource(delimiter = '|', textBlock = """
            jobs list --limit 0                       | almanac: --limit 0 is not within 1 to 1000; --all shows every page
            jobs history k --limit 1001               | almanac: --limit 1001 is not within 1 to 1000
            jobs history                              | almanac: name a job's KEY, or write --failed for the failures of all jobs
            jobs history k --since tomorrow           | almanac: --since 'tomorrow' is no moment; write today, yesterday, 2026-05-01, 2026-05-01T12:00 (in the zone), ####-##-##T##:##:##Z, or 24h (ago)
            jobs list --next-from soon                | almanac: --next-from 'soon' is no moment; write ####-##-##T##:##:##Z, 2026-05-01T12:00 (in the zone), or 15m (from now)
            jobs list --zone Europe/Brussel           | almanac: --zone 'Europe/Brussel' is not known; write a region such as Europe/Brussels, UTC or +02:00; similar are Europe/Brussels
            jobs list --uri mongodb://h --patience no | almanac: --patience 'no' is no duration; write 30s, 5m, 2h, 1d, or PT5M
            jobs list --uri mongodb://h --database a/b | almanac: database name 'a/b' must be 1 to 63 letters, digits, dashes or underscores
            jobs list                                 | almanac: no database is named; give --uri mongodb://host:27017/?replicaSet=rs, or set ALMANAC_URI
            jobs list --uri localhost                 | almanac: the connection string does not begin with mongodb:// or mongodb+srv://; write mongodb://host:27017/?replicaSet=rs
            jobs list --uri mongodb://h/?authMechanism=S3 | almanac: in the connection string, the option authMechanism has a value that the driver of MongoDB does not accept, or one that does not go with the others; it is not shown here, since the text may hold a password
            """)
    void ranges(String line, String complaint) {
        assertThat(typed(line)).isEqualTo(new CommandResult(2, "", complaint + "\n"));
    }

    @ParameterizedTest
    @DisplayName("8, 9: no password in any answer, however the connection string is broken, also with --verbose")
    @ValueSource(
            strings = {
                "mongodb://ann:s3cret@127.0.0.1:1/?serverSelectionTimeoutMS=300",
                "mongodb://ann:s3cret@127.0.0.1:1/?serverSelectionTimeoutMS=300&authSource=admin&tls=true",
                "mongodb://ann:s3cret@nosuchhost.invalid:1/?serverSelectionTimeoutMS=300",
                "mongodb://ann:s3cret/host",
                "mongodb://ann:s3c/s3cret@host",
                "mongodb://ann:s3c@s3cret@host",
                "mongodb://ann:s3cret@host:99999999",
                "mongodb://ann:s3cret@host/?w=s3cret&readPreference=s3cret",
                "ann:s3cret@host"
            })
    void passwords(String uri) {
        for (String command : List.of("jobs list", "health", "nodes", "indexes verify", "jobs xlist", "xjobs list")) {
            List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
            words.addAll(List.of("--uri", uri, "--verbose"));
            CommandResult told = CommandResult.by(NOTHING, words.toArray(String[]::new));
            assertThat(told.exit()).isNotZero();
            assertThat(told.all()).doesNotContain("s3cret").isNotBlank();
        }
        CommandResult alone = CommandResult.by(Map.of("ALMANAC_URI", uri), "jobs", "list", uri);
        assertThat(alone.all()).doesNotContain("s3cret");
        assertThat(CommandResult.by(Map.of("ALMANAC_URI", uri), "jobs", "list").all())
                .doesNotContain("s3cret", "\tat ")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @DisplayName("9: a file with a broken connection string is refused without showing it")
    @ValueSource(
            strings = {
                "store { uri = \"ann:s3cret@host\" }",
                "store { uri = ann\":s3cret@host\" }",
                "store { uri = [\"ann:s3cret@host\"] }",
                "store { uri = \"mongodb://ann:s3cret/host\" }"
            })
    void passwordOfAFile(String store, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("jobs.conf"), "almanac { application = tills, jobs = [], " + store + " }\n");
        for (String command : List.of("run", "reconcile")) {
            CommandResult told = CommandResult.by(NOTHING, command, file.toString());
            assertThat(told.exit()).as(told.all()).isNotZero();
            assertThat(told.all()).doesNotContain("s3cret").isNotBlank();
        }
    }

    @Test
    @DisplayName("9: what a driver says is shown without credentials, with and without a scheme")
    void passwordOfADriver() {
        String said = "a:b@c: cannot open mongodb://ann:s3cret@h/x or ann:s3cret@h";
        StringWriter err = new StringWriter();
        ProcessEnvironment process =
                new ProcessEnvironment(new PrintWriter(Writer.nullWriter()), new PrintWriter(err), NOTHING, false);
        CommandLine line = Main.line(process);
        int exit = new ErrorMessages(process).failed(new MongoException(said), line, line.parseArgs("health"));
        assertThat(exit).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("almanac: MongoException: ")
                .contains("cannot open mongodb://*** or ***; --verbose shows where")
                .doesNotContain("s3cret");
        try (StoreAccess access = new StoreAccess(
                MongoClients.create("mongodb://127.0.0.1:1"),
                new ServerTalk(),
                MongoStoreSettings.defaults(),
                "127.0.0.1:1",
                Duration.ofMillis(1))) {
            for (RuntimeException thrown : List.of(new MongoException(said), new StoreException(said))) {
                assertThat(access.explained(thrown))
                        .hasMessageEndingWith("cannot open mongodb://*** or ***")
                        .hasMessageNotContaining("s3cret");
            }
        }
    }

    @Test
    @DisplayName("8: a key is shown as it is, also if it looks like an address with a password")
    void keysLikeAddresses() {
        try (ConsoleFixture console = ConsoleFixture.withStore()) {
            assertThat(console.run("jobs", "cancel", "mail:x@y.z").err())
                    .isEqualTo(
                            "almanac: no live job 'mail:x@y.z': it was never scheduled, has finished, or was cancelled\n");
            console.schedule("mail:x@y.z");
            assertThat(console.run("jobs", "cancel", "--all").err())
                    .contains("cancel 1 job, of no application: mail:x@y.z; add --yes");
            assertThat(console.run("jobs", "cancel", "mongodb://ann:s3cret@h").err())
                    .as("no key, but a connection string")
                    .contains("no live job 'mongodb://***'")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    @DisplayName("8: a server that does not answer is given up within the patience, and the hosts are named")
    void silence() {
        CommandResult told =
                CommandResult.by(NOTHING, "jobs", "list", "--uri", "mongodb://127.0.0.1:1", "--patience", "400ms");
        assertThat(told)
                .isEqualTo(
                        new CommandResult(
                                2,
                                "",
                                "almanac: no MongoDB server answers at <host> within 400 ms; check"
                                        + " that it runs, the host, the port and replicaSet in the connection string (connection refused)\n"));
    }

    @Test
    @DisplayName(
            "8: a server that runs and has no primary is not called silent; what begins an election is said, exit code 2")
    void noPrimary() {
        try (MongoServer server = MongoServer.replicaSet(1)) {
            String host = server.members().get(0).host();
            String direct = "mongodb://" + host + "/?directConnection=true";
            try (MongoClient admin = MongoClients.create(direct)) {
                admin.getDatabase("admin")
                        .runCommand(
                                Document.parse("{replSetStepDown: 600, secondaryCatchUpPeriodSecs: 0, force: true}"));
                String set = "mongodb://" + host + "/?replicaSet=rs";
                withoutPrimary("jobs list", set);
                withoutPrimary("jobs pause --all --yes --reason x", set);
                withoutPrimary("indexes create", set);
                // as a member of a set that was not initiated: neither primary nor secondary
                admin.getDatabase("admin").runCommand(new Document("replSetMaintenance", true));
                withoutPrimary("jobs list", direct);
                withoutPrimary("jobs pause --all --yes --reason x", "mongodb://" + host);
                withoutPrimary("indexes create", set);
            }
            CommandResult other = typed("jobs list --patience 400ms --uri mongodb://" + host + "/?replicaSet=other");
            assertThat(other.err())
                    .as("a set of another name is a wrong connection string")
                    .contains("no MongoDB server answers", "check that it runs, the host, the port and replicaSet");
        }
    }

    private static void withoutPrimary(String command, String uri) {
        assertThat(typed(command + " --patience 3s --uri " + uri))
                .as("%s over %s", command, uri)
                .isEqualTo(new CommandResult(
                        2,
                        "",
                        "almanac: a MongoDB server answers at <host>, but within 3 s no primary of its replica set does;"
                                + " initiate a new set once by rs.initiate(), else wait for the election\n"));
    }

    @ParameterizedTest
    @DisplayName("8: a command about time says what it expects of its own arguments, and no field of a batch")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            cron next                          | an EXPRESSION is expected, in quotes, such as '0 30 2 * * ?'     | cron next
            cron previous                      | an EXPRESSION is expected, in quotes, such as '0 30 2 * * ?'     | cron previous
            cron check                         | an EXPRESSION is expected, in quotes, such as '0 30 2 * * ?'     | cron check
            cron describe --dialect unix       | an EXPRESSION is expected, in quotes, such as '0 30 2 * * ?'     | cron describe
            calendars check                    | KIND, PARAMETERS and INSTANT are expected, or TARGET2 or WEEKENDS and INSTANT | calendars check
            calendars check Weekly 2026-05-01  | KIND, PARAMETERS and INSTANT are expected, or TARGET2 or WEEKENDS and INSTANT | calendars check
            calendars check TARGET2            | KIND, PARAMETERS and INSTANT are expected, or TARGET2 or WEEKENDS and INSTANT | calendars check
            calendars check TARGET3 2026-05-01 | 'TARGET3' is no kind and no built-in calendar; did you mean TARGET2? | calendars check
            calendars check Weekl 2026-05-01   | 'Weekl' is no kind and no built-in calendar; did you mean Weekly? | calendars check
            calendars check c 2026-05-01       | 'c' is no kind and no built-in calendar; one that is stored is shown by almanac calendars show, and what it does to a job by almanac jobs preview KEY | calendars check
            business-days FOLLOWING TARGET2    | CONVENTION, CALENDAR and DATE are expected                       | business-days
            """)
    void expected(String line, String complaint, String command) {
        assertThat(typed(line))
                .isEqualTo(
                        new CommandResult(2, "", "almanac: " + complaint + "\ntry: almanac " + command + " --help\n"));
    }

    @ParameterizedTest
    @DisplayName("8: a command about time refuses what it would ignore")
    @CsvSource(delimiter = '|', textBlock = """
            cron next --batch --json                             | --batch reads its lines from standard input and answers in lines; leave out --json
            cron previous --zone UTC --batch                     | --batch reads its lines from standard input and answers in lines; leave out --zone
            cron check x --batch                                 | --batch reads its lines from standard input and answers in lines; leave out EXPRESSION
            calendars check TARGET2 --batch                      | --batch reads its lines from standard input and answers in lines; leave out KIND
            business-days --batch --json                         | --batch reads its lines from standard input and answers in lines; leave out --json
            cron check @daily --zone UTC                         | --zone is no option of almanac cron check
            cron describe @daily --count 5                       | --count is no option of almanac cron describe
            """)
    void ignoredOptions(String line, String complaint) {
        CommandResult told = typed(line);
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.out()).isEmpty();
        assertThat(told.err()).startsWith("almanac: " + complaint);
    }

    @Test
    @DisplayName(
            "8: an answer of a command about time has moments only for programs; the end of a list has its own field")
    void noWordsAmongMoments() {
        assertThat(CommandResult.by(NOTHING, "cron", "next", "0 0 0 1 1 ? 2020", "--json")
                        .out())
                .isEqualTo("{\"fires\":[],\"ended\":true}\n");
        assertThat(CommandResult.by(
                                NOTHING,
                                "cron",
                                "next",
                                "0 0 0 1 1 ? 2020",
                                "--from",
                                "2019-01-01",
                                "--count",
                                "2",
                                "--json")
                        .out())
                .isEqualTo("{\"fires\":[\"####-##-##T##:##:##Z\"],\"ended\":true}\n");
        assertThat(CommandResult.by(NOTHING, "cron", "next", "0 0 0 1 1 ?", "--count", "2", "--json")
                        .out())
                .as("more follow")
                .doesNotContain("ended");
        assertThat(CommandResult.by(
                        NOTHING, "calendars", "check", "Weekly", "days=1,2,3,4,5,6,7", "2026-01-01", "--json"))
                .isEqualTo(new CommandResult(0, "{\"included\":false}\n", ""));
        assertThat(CommandResult.by(NOTHING, "cron", "next", "0 0 0 1 1 ?", "--count", "x")
                        .err())
                .isEqualTo("almanac: count: 'x' is no whole number\n");
    }

    @Test
    @DisplayName("8: a database without a store is not made one by looking; the message says how to make one")
    void noStore() {
        try (ConsoleFixture console = ConsoleFixture.withoutStore()) {
            assertThat(console.run("jobs", "list"))
                    .isEqualTo(new CommandResult(
                            2,
                            "",
                            "almanac: database '" + console.name()
                                    + "' contains no Almanac store; name another one by --database and --prefix, or create it:"
                                    + " almanac indexes create --database " + console.name() + "\n"));
            assertThat(console.run("jobs", "list", "--prefix", "p_").err())
                    .contains("with prefix 'p_'", "--prefix p_\n");
            assertThat(console.run("nodes").exit()).isEqualTo(2);
            assertThat(console.database().listCollectionNames()).isEmpty();
            assertThat(console.run("indexes", "create").exit()).isZero();
            assertThat(console.run("jobs", "list").out()).isEqualTo("no jobs\n");
        }
    }

    @Test
    @DisplayName("8: a missing index is named, with the command that creates it, and the command goes on")
    void missingIndex() {
        try (ConsoleFixture console = ConsoleFixture.withStore()) {
            console.database().getCollection("jobSpecification").dropIndex("almanac_due");
            console.schedule("j");
            CommandResult list = console.run("jobs", "list");
            assertThat(list.exit()).isZero();
            assertThat(list.out()).contains("j");
            assertThat(list.err())
                    .startsWith("almanac: warning: ALM-001 ")
                    .contains("almanac_due", "is missing", "run: almanac indexes create")
                    .hasLineCount(1);
            for (String command : List.of("show", "explain", "history", "preview", "pause", "resume", "cancel")) {
                CommandResult told = command.equals("pause")
                        ? console.run("jobs", command, "j", "--reason", "CR-1")
                        : console.run("jobs", command, "j");
                assertThat(told.exit()).as(command + told.err()).isZero();
                assertThat(told.err()).as(command).startsWith("almanac: warning: ALM-001 ");
            }
            assertThat(console.run("health").out()).startsWith("DOWN\n").contains("no node is live");
            assertThat(console.run("doctor").exit()).isEqualTo(1);
            assertThat(console.run("doctor").out()).contains("almanac indexes create");
        }
    }

    @Test
    @DisplayName("8: while nodes run, a command answers without the indexes of looks and counts as it does with them")
    void missingIndexWhileNodesRun() {
        try (ConsoleFixture console = ConsoleFixture.withStore()) {
            Instant now = console.store().serverTime();
            NewJob overdue = Specimens.minimal("overdue", now.minusSeconds(600));
            console.store().insert(List.of(overdue));
            Set<String> types = Set.of(overdue.job().command().type());
            Duration live = Duration.ofDays(1);
            NodeReport node = new NodeReport(
                    "n",
                    "till 1",
                    now,
                    now,
                    "2026a",
                    Duration.ZERO,
                    types,
                    1,
                    4,
                    Set.of(),
                    0,
                    7,
                    List.of(),
                    null,
                    false,
                    live);
            console.store().cluster().report(node, now);
            List<String> commands = List.of("nodes", "jobs explain overdue");
            List<CommandResult> answers = commands.stream()
                    .map(command -> console.run(command.split(" ")))
                    .toList();
            assertThat(answers.get(0).out()).contains("till 1");
            assertThat(answers.get(1).out()).contains("is due since");
            for (String index : List.of("almanac_due", "almanac_urgent", "almanac_open_failures")) {
                console.database().getCollection("jobSpecification").dropIndex(index);
            }
            for (int i = 0; i < commands.size(); i++) {
                CommandResult told = console.run(commands.get(i).split(" "));
                assertThat(told.exit()).as(told.err()).isEqualTo(answers.get(i).exit());
                assertThat(told.out()).isEqualTo(answers.get(i).out());
                assertThat(told.err())
                        .startsWith("almanac: warning: ALM-001 ")
                        .contains("almanac_due", "almanac_open_failures")
                        .hasLineCount(1);
            }
            assertThat(console.run("health").out()).doesNotStartWith("DOWN").doesNotContain("refuses");
        }
    }

    @Test
    @DisplayName("8: jobs remove takes a document that cannot be read out of the way, and no other")
    void removeDamaged() {
        try (ConsoleFixture console = ConsoleFixture.withStore()) {
            console.schedule("bad");
            console.schedule("good");
            console.database()
                    .getCollection("jobSpecification")
                    .updateOne(
                            new org.bson.Document("jobSpecificationKey", "bad"),
                            new org.bson.Document("$set", new org.bson.Document("claimSeq", "many")));
            assertThat(console.run("jobs", "list").out()).contains("bad  (cannot be read");
            assertThat(console.run("jobs", "remove", "good", "--damaged").exit())
                    .isEqualTo(3);
            assertThat(console.run("jobs", "remove", "bad").exit()).isEqualTo(2);
            assertThat(console.run("jobs", "remove", "bad", "--damaged", "--author", "ann", "--reason", "CR-17")
                            .out())
                    .startsWith("bad was removed");
            assertThat(console.run("jobs", "list").out()).doesNotContain("bad").contains("good");
            assertThat(console.database()
                            .getCollection("jobSpecification")
                            .find(new org.bson.Document("jobSpecificationKey", "bad"))
                            .first())
                    .containsEntry("removedBy", "ann (CR-17)");
            assertThat(console.schedule("bad").out()).startsWith("bad was created");
        }
    }

    @Test
    @DisplayName("ALM-005: a document that cannot be read is reported with exit code 1, and hides no other job")
    void damaged() {
        try (ConsoleFixture console = ConsoleFixture.withStore()) {
            console.schedule("bad");
            console.schedule("good");
            MongoCollection<Document> jobs = console.database().getCollection("jobSpecification");
            jobs.updateOne(new Document("activeKey", "bad"), Document.parse("{$set: {zoneId: 'Mars/Olympus'}}"));
            CommandResult told = console.run("jobs", "show", "bad");
            assertThat(told.exit()).isEqualTo(1);
            assertThat(told.err()).startsWith("almanac: ALM-005 ").doesNotContain("\tat ");
            assertThat(console.run("jobs", "list").out()).endsWith("""
                    good  report  0 0 12 1 1 ? 2100  2100-01-01 12:00:00  SCHEDULED
                    bad  (cannot be read: Unknown time-zone ID: Mars/Olympus)
                    """);
            assertThat(console.run("jobs", "list", "--json").out())
                    .endsWith(
                            "}],\"damaged\":[{\"jobSpecificationKey\":\"bad\",\"reason\":\"Unknown time-zone ID: Mars/Olympus\"}]}\n");
        }
    }

    @Test
    @DisplayName("ALM-005: of a document whose key cannot be read the id is said, and no command that needs the key")
    void withoutKey() {
        try (ConsoleFixture console = ConsoleFixture.withStore()) {
            console.schedule("bad");
            MongoCollection<Document> jobs = console.database().getCollection("jobSpecification");
            Document edit = Document.parse("{$set: {activeKey: ['x'], jobSpecificationKey: 6}}");
            Document bad = jobs.findOneAndUpdate(new Document("activeKey", "bad"), edit);
            String id = CommandResult.alike(String.valueOf(bad.get("_id")));
            assertThat(console.run("doctor").out())
                    .contains(
                            "ALM-041 the document " + id + " of a job whose key cannot be read",
                            "correct it, by its _id, as docs/mongo-shell.md shows")
                    .doesNotContain("almanac jobs remove", "'?'");
            assertThat(console.run("jobs", "list").out()).contains("?  (the document " + id + " cannot be read: ");
            assertThat(console.run("jobs", "list", "--json").out()).contains("\"id\":\"" + id + "\"");
        }
    }

    @Test
    @DisplayName("ALM-005: a page that holds nothing but a damaged document is followed by the next one")
    void damagedPages() {
        try (ConsoleFixture console = ConsoleFixture.withStore()) {
            List.of("a", "b", "c", "d").forEach(key -> console.schedule(key));
            MongoCollection<Document> jobs = console.database().getCollection("jobSpecification");
            jobs.updateOne(new Document("activeKey", "a"), Document.parse("{$set: {zoneId: 'Mars/Olympus'}}"));
            jobs.updateOne(new Document("activeKey", "c"), Document.parse("{$set: {jobSpecificationKey: 5}}"));
            assertThat(console.run("jobs", "list", "--limit", "1").out())
                    .startsWith("a  (cannot be read: ")
                    .endsWith(")\nmore follow: add --after 'a', or --all\n");
            assertThat(console.run("jobs", "list", "--limit", "2", "--after", "a")
                            .out())
                    .contains("\nb ", "\nc  (cannot be read: ", "--after 'c'")
                    .doesNotContain("\na ", "\nd ");
            assertThat(console.run("jobs", "list", "--after", "c").out())
                    .contains("\nd ")
                    .doesNotContain("cannot be read", "more follow");
            jobs.deleteMany(Document.parse("{activeKey: {$in: ['b', 'd']}}"));
            assertThat(console.run("jobs", "list").out())
                    .startsWith("a  (cannot be read: ")
                    .contains("\nc  (cannot be read: ")
                    .hasLineCount(2);
        }
    }

    @Test
    @DisplayName("8: expressions and zones that are wrong are bad input of cron, too")
    void cron() {
        assertThat(CommandResult.by(NOTHING, "cron", "next", "0 0 25 * * ?"))
                .isEqualTo(new CommandResult(2, "", "almanac: hour, column 5: beyond 0-23 (found '25')\n"));
        assertThat(CommandResult.by(NOTHING, "cron", "next", "0 0 12 * * ?", "--zone", "Europe/Brussel")
                        .err())
                .startsWith("almanac: zone: 'Europe/Brussel' is not known")
                .endsWith("similar are Europe/Brussels\n");
    }

    @Test
    @DisplayName("8: --verbose says where an error comes from, and only --verbose")
    void verbose() {
        try (ConsoleFixture console = ConsoleFixture.withStore()) {
            assertThat(console.run("jobs", "resume", "k").err()).hasLineCount(1);
            assertThat(console.run("jobs", "resume", "k", "--verbose").err())
                    .contains("JobNotFoundException", "\tat dev.almanac");
        }
    }

    @ParameterizedTest
    @CsvSource({"* * 3 * * ?, 3600", "*/10 * 3 * * ?, 360", "0 * 3 * * ?, 60", "5/30 * 3-4 ? * MON, 120"})
    @DisplayName("T3: the hint says how often it fires within an hour, seconds included")
    void timesWithinAnHour(String cron, String times) {
        assertThat(CommandResult.by(NOTHING, "cron", "check", cron).out()).contains(", " + times + " times in each");
    }
}
