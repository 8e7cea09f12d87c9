package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import dev.almanac.Scheduler;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.time.ZoneRulesVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code nodes}, {@code health}, {@code indexes}. */
class ClusterCommandsTest {
    private final ConsoleFixture console = ConsoleFixture.withStore();

    record Report(String kind) implements SchedulingCommand {}

    @AfterEach
    void drop() {
        console.close();
    }

    private Scheduler node(String label) {
        return Scheduler.builder()
                .store(console.store())
                .command("report", 1, Report.class, (report, run) -> {})
                .label(label)
                .build()
                .start();
    }

    @Test
    @DisplayName("8: nodes lists who has reported, and which of them are silent")
    void nodes() throws IOException {
        assertThat(console.run("nodes").out()).isEqualTo("no node has reported within the last hour\n");
        assertThat(console.run("nodes", "--json").out()).isEqualTo("{\"nodes\":[]}\n");
        try (Scheduler node = node("till 1")) {
            console.database()
                    .getCollection("node")
                    .insertOne(new Document("_id", "zz")
                            .append("label", "till 2")
                            .append("started", new Date())
                            .append("seen", new Date(0)));
            assertThat(node.node().id()).hasSize(24);
            assertThat(console.run(Map.of("COLUMNS", "120"), "nodes").out()).isEqualTo("""
                    NODE                      LABEL   STATE   SEEN (UTC)           RUNS  PRIORITY  TYPES
                    <id>  till 1  live    ####-##-## ##:##:##  0/64  0 to 7    report
                    zz                        till 2  silent  1970-01-01 00:00:00  0     0 to 7
                    """);
            Document printed =
                    Document.parse(console.run("nodes", "--json").out()).getList("nodes", Document.class).stream()
                            .filter(one -> "till 1".equals(one.get("label")))
                            .findFirst()
                            .orElseThrow();
            Path page = Path.of(System.getProperty("almanac.root")).resolve("docs/command-line.md");
            String documented = Files.readAllLines(page).stream()
                    .filter(line -> line.startsWith("{\"node\":"))
                    .findFirst()
                    .orElseThrow();
            assertThat(printed.keySet())
                    .as("17.5: the page lists the fields of a node")
                    .containsExactlyElementsOf(Document.parse(documented).keySet());
            console.schedule("import");
            Instant now = Instant.now();
            console.database()
                    .getCollection("jobSpecification")
                    .updateOne(
                            new Document(),
                            new Document(
                                    "$set",
                                    new Document(
                                                    "lease",
                                                    new Document(
                                                                    "owner",
                                                                    node.node().id())
                                                            .append("token", 7L)
                                                            .append("until", Date.from(now.plusSeconds(3_600))))
                                            // nodes looks for runs due again within a minute
                                            .append("due", Date.from(now.plusSeconds(55)))
                                            .append("state", new Document("cursor", 7))
                                            .append(
                                                    "progress",
                                                    new Document("done", 30L)
                                                            .append("total", 100L)
                                                            .append("message", "reading")
                                                            .append("at", new Date(0)))));
            assertThat(console.run(Map.of("COLUMNS", "120"), "nodes").out()).contains("import: 30 of 100: reading");
            assertThat(console.run("nodes", "--json").out())
                    .contains(
                            "\"runs\":0,\"minPriority\":0,\"maxPriority\":7,\"slots\":64,\"progress\":[\"import: 30 of 100: reading\"]}");
            assertThat(console.run("jobs", "show", "import").out()).contains("held by node", "(till 1), lease until");
            assertThat(console.run("jobs", "show", "import").out())
                    .contains("progress      30 of 100: reading, at 1970-01-01 00:00:00 UTC")
                    .contains("state left    {\"cursor\":7}");
            assertThat(console.run("jobs", "show", "import", "--json").out())
                    .contains(
                            "\"progress\":{\"done\":30,\"total\":100,\"message\":\"reading\",\"at\":\"1970-01-01T00:00:00Z\"}")
                    .contains("\"state\":{\"cursor\":7}")
                    .as("17.3: labels wherever ids are shown")
                    .contains("\"runningOn\":\"<id>\",\"runningOnLabel\":\"till 1\"");
            assertThat(console.run("jobs", "list", "--json").out()).contains("\"runningOnLabel\":\"till 1\"");
            console.database()
                    .getCollection("jobExecutionStatus")
                    .updateOne(new Document(), new Document("$set", new Document("node", "zz")));
            assertThat(console.run("jobs", "history", "import", "--json").out())
                    .contains("\"node\":\"zz\",\"nodeLabel\":\"till 2\"");
            assertThat(console.run("jobs", "explain", "import").out()).contains("it reported: 30 of 100: reading");
        }
        assertThat(console.run(Map.of("COLUMNS", "120"), "nodes").out())
                .as("17.3: a node that leaves cleanly says so")
                .containsPattern("till 1  stopped ")
                .containsPattern("till 2  silent ");
    }

    @Test
    @DisplayName("17.3: whether a node is silent is judged by its own node-timeout, from every process")
    void slowHeartbeat() {
        try (Scheduler node = Scheduler.builder()
                .store(console.store())
                .command("report", 1, Report.class, (report, run) -> {})
                .label("till 1")
                .settings(SchedulerSettings.builder()
                        .heartbeatInterval(Duration.ofMinutes(1))
                        .nodeTimeout(Duration.ofMinutes(3))
                        .build())
                .build()
                .start()) {
            MongoCollection<Document> nodes = console.database().getCollection("node");
            await().atMost(Duration.ofMinutes(5)).until(() -> nodes.countDocuments() == 1);
            seen(nodes, 100);
            assertThat(console.run("nodes").out()).containsPattern("till 1 +live");
            assertThat(console.run("health").out()).isEqualTo("UP\n");
            assertThat(console.run("doctor").out()).doesNotContain("last reported");
            console.schedule("j");
            assertThat(console.run("jobs", "explain", "j").out()).doesNotContain("no node");
            seen(nodes, 200);
            assertThat(console.run("nodes").out()).containsPattern("till 1 +silent");
            assertThat(console.run("health").out()).startsWith("DOWN\nno node is live");
            assertThat(node.node().id()).isNotEmpty();
        }
    }

    private static void seen(MongoCollection<Document> nodes, long secondsAgo) {
        nodes.updateMany(
                new Document(),
                new Document(
                        "$set", new Document("seen", Date.from(Instant.now().minusSeconds(secondsAgo)))));
    }

    private void set(String key, Document fields) {
        console.database()
                .getCollection("jobSpecification")
                .updateOne(new Document("jobSpecificationKey", key), new Document("$set", fields));
    }

    @Test
    @DisplayName(
            "S21: list, show, JSON and explain say RECOVERING of a job whose lease is over, and nothing of a pause that is")
    void states() {
        console.schedule("dead");
        console.schedule("free");
        Date past = Date.from(Instant.now().minusSeconds(5));
        Document lease = new Document("owner", "zz").append("token", 7L).append("until", past);
        set("dead", new Document("lease", lease).append("due", past).append("claimSeq", 1L));
        set(
                "free",
                new Document(
                        "paused",
                        new Document("reason", "audit").append("author", "ann").append("until", past)));
        assertThat(console.run("jobs", "list").out())
                .containsPattern("dead .* RECOVERING\n")
                .containsPattern("free .* SCHEDULED\n")
                .doesNotContainIgnoringCase("running")
                .doesNotContainIgnoringCase("paused");
        assertThat(console.run("jobs", "show", "dead").out())
                .contains("state         RECOVERING", "was held by   node zz, whose lease ended at ");
        assertThat(console.run("jobs", "show", "dead", "--json").out()).contains("\"jobState\":\"RECOVERING\"");
        assertThat(console.run("jobs", "explain", "dead").out()).contains("  state         RECOVERING\n");
        assertThat(console.run("jobs", "explain", "dead", "--json").out()).contains("\"state\":\"RECOVERING\"");
        assertThat(console.run("jobs", "show", "free").out()).doesNotContain("audit");
        assertThat(console.run("jobs", "show", "free", "--json").out())
                .contains("\"jobState\":\"SCHEDULED\"")
                .doesNotContain("audit");
        assertThat(console.run("jobs", "list", "--state", "RECOVERING").out())
                .contains("dead")
                .doesNotContain("free");
        assertThat(console.run("jobs", "list", "--state", "paused").out()).startsWith("no jobs");
    }

    @Test
    @DisplayName(
            "S20: health, doctor, nodes and explain tell of due jobs that no live node takes, from another process")
    void unserved() {
        console.schedule("news", "--type", "news");
        console.schedule("low", "--priority", "6");
        try (Scheduler node = Scheduler.builder()
                .store(console.store())
                .command("report", 1, Report.class, (report, run) -> {})
                .settings(SchedulerSettings.builder().maxPriority(3).build())
                .build()
                .start()) {
            assertThat(node.node().id()).hasSize(24);
            assertThat(console.run("health").out()).doesNotContain("taken by no live node");
            Date past = Date.from(Instant.now().minusSeconds(90));
            set("news", new Document("due", past));
            set("low", new Document("due", past));
            CommandResult health = console.run("health");
            assertThat(health.exit()).isEqualTo(1);
            assertThat(health.out())
                    .startsWith("DEGRADED")
                    .containsPattern("1 due job of command type 'news' is taken by no live node;"
                            + " the oldest has been due for \\d+ s")
                    .contains("1 due job of command type 'report' with priority 4 to 7 is taken by no live node");
            assertThat(console.run("doctor").out())
                    .contains("ALM-038 1 live job of command type 'news' is taken by no live node")
                    .contains(
                            "ALM-038 1 live job of command type 'report' with priority 4 to 7 is taken by no live node")
                    .containsPattern("1 of them is due, the oldest for \\d+ min");
            assertThat(console.run(Map.of("COLUMNS", "120"), "nodes").out()).containsPattern("0/64 +0 to 3 +report");
            assertThat(console.run("jobs", "explain", "low").out())
                    .startsWith(
                            "Job 'low' cannot be run by any of the 1 live nodes: none with its command type 'report'"
                                    + " takes its priority 6; they take 0 to 3.")
                    .doesNotContain("1 of 1 live nodes");
        }
    }

    @Test
    @DisplayName("17.3: lateness tells p50, p95, p99 and the worst by type, of the minutes since then and no others")
    void lateness() {
        assertThat(console.run("lateness").out()).startsWith("no planned run has begun since ");
        Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES);
        LatenessCounts some = LatenessCounts.NONE;
        for (int i = 1; i <= 100; i++) {
            some = some.plus(Duration.ofMillis(i));
        }
        LatenessCounts one = LatenessCounts.NONE.plus(Duration.ofSeconds(40));
        minute("n1", minute, Map.of("invoice", some, "report", one));
        minute("n2", minute, Map.of("invoice", some, "by-hand", LatenessCounts.NONE));
        minute("n1", minute.minus(Duration.ofHours(3)), Map.of("report", one));
        assertThat(console.run("lateness", "--since", "1h").out()).isEqualTo("""
                TYPE     RUNS  P50    P95     P99     WORST
                invoice  200   50 ms  100 ms  100 ms  100 ms
                report   1     40 s   40 s    40 s    40 s
                """);
        assertThat(console.run("lateness", "--since", "4h", "--json").out())
                .endsWith("{\"type\":\"report\",\"runs\":2,\"p50\":\"PT40S\",\"p95\":\"PT40S\",\"p99\":\"PT40S\","
                        + "\"worst\":\"PT40S\"}]}\n");
        assertThat(console.run("lateness", "--since", "soon").exit()).isEqualTo(2);
    }

    private void minute(String node, Instant minute, Map<String, LatenessCounts> types) {
        Map<String, MinuteReport.OfType> told = new HashMap<>();
        types.forEach((type, counts) ->
                told.put(type, new MinuteReport.OfType(Map.of("SUCCEEDED", counts.total()), 0, 0, 0, 0, 0, counts)));
        console.store().cluster().addMinute(new MinuteReport(node, minute, told, 0));
    }

    @Test
    @DisplayName("O5: health is DOWN without a live node or a server, UP with one, and the exit code says so")
    void health() {
        assertThat(console.run("health"))
                .isEqualTo(new CommandResult(
                        1, "DOWN\nno node is live, so nothing runs; start a service, or almanac run FILE\n", ""));
        assertThat(CommandResult.by(
                        Map.of(), "health", "--json", "--uri", "mongodb://127.0.0.1:1", "--patience", "300ms"))
                .isEqualTo(new CommandResult(
                        1,
                        "{\"state\":\"DOWN\",\"reasons\":[\"no MongoDB server answers at <host> within"
                                + " 300 ms; check that it runs, the host, the port and replicaSet in the connection string"
                                + " (connection refused)\"]}\n",
                        ""));
        try (Scheduler node = node("till 1")) {
            assertThat(node.node().id()).isNotEmpty();
            assertThat(console.run("health")).isEqualTo(new CommandResult(0, "UP\n", ""));
            assertThat(console.run("health", "--json").out()).isEqualTo("{\"state\":\"UP\",\"reasons\":[]}\n");
            console.run("jobs", "pause", "--tag", "night", "--reason", "release", "--yes");
            assertThat(console.run("health"))
                    .as("a tag is its own business")
                    .isEqualTo(new CommandResult(0, "UP\n", ""));
            console.run("jobs", "pause", "--all", "--reason", "release", "--author", "ann", "--yes");
            CommandResult paused = console.run("health");
            assertThat(paused.exit()).isEqualTo(1);
            assertThat(paused.out())
                    .startsWith("DEGRADED\n")
                    .contains(
                            "everything is paused since ", " by ann: release; to end that: almanac jobs resume --all\n")
                    .doesNotContain("night");
            console.run("jobs", "resume", "--all");
            assertThat(console.run("health")).isEqualTo(new CommandResult(0, "UP\n", ""));
            console.database()
                    .getCollection("node")
                    .insertOne(new Document("_id", "ill")
                            .append("label", "till 2")
                            .append("seen", new Date(System.currentTimeMillis() + 60_000))
                            .append("zoneRules", ZoneRulesVersion.all())
                            .append("reasons", Collections.nCopies(23, "it falls behind\u001b[2J")));
            CommandResult ill = console.run("health");
            assertThat(ill.exit()).isEqualTo(1);
            assertThat(ill.out().lines())
                    .hasSize(22)
                    .startsWith("DEGRADED", "node till 2: it falls behind\\u001b[2J")
                    .endsWith("3 more reasons of nodes; see nodes --json");
            console.database().getCollection("node").deleteOne(new Document("_id", "ill"));
            console.database()
                    .getCollection("node")
                    .insertOne(new Document("_id", "other")
                            .append("seen", new Date(System.currentTimeMillis() + 60_000))
                            .append("zoneRules", "1999a"));
            CommandResult mixed = console.run("health");
            assertThat(mixed.exit()).isEqualTo(1);
            assertThat(mixed.out())
                    .startsWith("DEGRADED\nthe live nodes have different versions of the time zone rules: [1999a, ");
        }
    }

    @Test
    @DisplayName("O3: doctor tells what is not as it must be with exit code 1, also what only the nodes' reports tell")
    void doctor() {
        try (Scheduler node = node("till 1")) {
            console.schedule("j");
            assertThat(node.node().id()).isNotEmpty();
            assertThat(console.run("doctor"))
                    .isEqualTo(new CommandResult(0, "nothing was found; live jobs examined: 1\n", ""));
            assertThat(console.run("doctor", "--json").out())
                    .isEqualTo("{\"findings\":[],\"jobs\":1,\"notChecked\":[]}\n");
            console.schedule("x", "--type", "foreign", "--at", "2100-01-01");
            console.database()
                    .getCollection("node")
                    .insertOne(new Document("_id", "other")
                            .append("label", "till 2")
                            .append("seen", new Date(System.currentTimeMillis() + 60_000))
                            .append("clockOffset", "PT2S")
                            .append("zoneRules", "1999a"));
            CommandResult found = console.run("doctor");
            assertThat(found.exit()).isEqualTo(1);
            assertThat(found.out())
                    .contains(
                            "ALM-038 1 live job of command type 'foreign' is taken by no live node; the oldest",
                            "ALM-039 the clock of node other (till 2) differs from the server's by PT2S\n",
                            "ALM-040 the live nodes have different versions of the time zone rules: [1999a, ")
                    .endsWith("\n3 findings; live jobs examined: 2\n");
            assertThat(console.run("doctor", "--json").out())
                    .startsWith(
                            "{\"findings\":[{\"id\":\"ALM-039\",\"kind\":\"CLOCK_OFFSET\",\"subject\":\"other\",\"text\":");
        }
        assertThat(console.run("doctor", "--tolerance", "soon").exit()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "17.3: doctor tells of standing pauses with their age and of nodes that died, each with a command; not of nodes"
                    + " that stopped in order, nor of a pause that has ended")
    void neglected() {
        console.run("jobs", "pause", "--tag", "night", "--reason", "release", "--author", "ann", "--yes");
        Date silent = new Date(System.currentTimeMillis() - 120_000);
        Document node = new Document("label", "till 3").append("seen", silent).append("runs", 4);
        console.database().getCollection("node").insertOne(new Document("_id", "gone").append("zoneRules", "x"));
        console.database().getCollection("node").updateOne(new Document("_id", "gone"), new Document("$set", node));
        console.database()
                .getCollection("node")
                .insertOne(new Document("_id", "left")
                        .append("zoneRules", "x")
                        .append("seen", silent)
                        .append("stopped", true));
        CommandResult found = console.run("doctor");
        assertThat(found.exit()).isEqualTo(1);
        assertThat(found.out())
                .contains("ALM-043 every job with tag night is paused since ", ", # min ago, by ann: release\n")
                .contains("to end that: almanac jobs resume --tag night\n")
                .contains(
                        "ALM-044 node gone (till 3) last reported at ",
                        ", # min ago, with 4 runs, and was not shut down")
                .contains("almanac jobs history --failed --since 1h\n")
                .doesNotContain("node left");
        console.run("jobs", "resume", "--tag", "night");
        assertThat(console.run("doctor").out()).contains("ALM-044").doesNotContain("ALM-043");
    }

    @Test
    @DisplayName("6.2: indexes verify says what is missing, create mends it")
    void indexes() {
        assertThat(console.run("indexes", "verify"))
                .isEqualTo(
                        new CommandResult(0, "mongodb <host>/" + console.name() + ": all indexes are in place\n", ""));
        console.database().getCollection("jobExecutionStatus").dropIndex("almanac_rows_of_job");
        CommandResult told = console.run("indexes", "verify");
        assertThat(told.exit()).isEqualTo(1);
        assertThat(told.err()).contains("almanac_rows_of_job").hasLineCount(1);
        assertThat(console.run("indexes", "verify", "--json").out())
                .startsWith("{\"valid\":false,\"problem\":\"ALM-001 ");
        assertThat(console.run("indexes", "create", "--json").out())
                .isEqualTo("{\"valid\":true,\"store\":\"mongodb <host>/" + console.name() + "\",\"warnings\":[]}\n");
    }

    @Test
    @DisplayName("6.2: a store is created with another number of partitions; it keeps them, and that is no trouble")
    void partitions() {
        console.database().drop();
        assertThat(console.run("indexes", "create", "--partitions", "0").err())
                .isEqualTo("almanac: partitions 0 is not within 1 to 200\n");
        assertThat(console.run("indexes", "create", "--partitions", "32").exit())
                .isZero();
        assertThat(console.run("indexes", "create").out())
                .contains("(created with 32 partitions, which the setting does not change): all indexes are in place");
        assertThat(console.run("health").out()).doesNotContain("partitions");
    }
}
