package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("O1: every block of docs/mongo-shell.md, run against a database with one job in each state")
class MongoShellPageTest extends StoreFixture {

    private final Map<String, ShellText> blocks = blocks();

    private static Map<String, ShellText> blocks() {
        try {
            return ShellText.ofPage("docs/mongo-shell.md");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @BeforeEach
    void fill() {
        new JobsInEachState(this).fill();
        ShellText.ofScript("docs/mongo-views.js").forEach(view -> view.run(client.getDatabase(database)));
    }

    private List<Document> run(String heading, String key) {
        ShellText block = blocks.get(heading);
        return new ShellText(block.text().replace("\"pay-17\"", "\"" + key + "\"")).run(client.getDatabase(database));
    }

    private static List<String> keys(List<Document> found) {
        return found.stream()
                .map(document -> document.getString("jobSpecificationKey"))
                .toList();
    }

    /** The keys that each question answers, in order. */
    private static Map<String, List<String>> answers() {
        Map<String, List<String>> answers = new LinkedHashMap<>();
        answers.put("What runs now", List.of("runs-longer", "runs", "paused-while-it-runs"));
        answers.put("What is late", List.of("lost", "late-more", "late"));
        answers.put("What failed for good in the last 24 hours", List.of("fails-now"));
        answers.put("Which failures are open", List.of("failed-yesterday", "fails-now"));
        answers.put("What is being retried", List.of("retries"));
        answers.put("What needs an operator", List.of("blocked", "damaged", "paused"));
        answers.put("What is due in the next hour", List.of("soon", "later"));
        answers.put("Views", List.of("runs-longer", "runs", "paused-while-it-runs"));
        answers.put("Views 2", List.of("lost", "late-more", "late"));
        answers.put("Views 3", List.of("fails-now", "failed-yesterday"));
        answers.put("Views 4", List.of("soon", "later"));
        return answers;
    }

    @Test
    @DisplayName("the questions that answer jobs answer these, in this order")
    void jobsOfEachQuestion() {
        answers()
                .forEach((heading, expected) ->
                        assertThat(keys(run(heading, "-"))).as(heading).isEqualTo(expected));
    }

    private Document row(String key, String outcome, Duration before) {
        return new Document("jobSpecificationKey", key)
                .append("outcome", outcome)
                .append("updatedTime", Date.from(store.serverTime().minus(before)))
                .append("missed", new Document("count", 3));
    }

    @Test
    @DisplayName("what did not run as planned: missed and abandoned fires of this night, not older ones, nor good runs")
    void unplanned() {
        MongoCollection<Document> rows = client.getDatabase(database).getCollection("jobExecutionStatus");
        rows.deleteMany(new Document());
        rows.insertMany(List.of(
                row("abandoned", "ABANDONED", Duration.ofHours(1)),
                row("missed", "MISSED", Duration.ofHours(11)),
                row("earlier", "MISSED", Duration.ofHours(13)),
                row("good", "SUCCEEDED", Duration.ofHours(1)),
                row("retried", "ATTEMPT_FAILED", Duration.ofHours(1))));
        List<Document> found = run("What did not run as planned", "-");
        assertThat(keys(found)).containsExactly("missed", "abandoned");
        assertThat(found.get(0).get("missed", Document.class)).containsEntry("count", 3);
    }

    @Test
    @DisplayName("why a job has not run: every reason")
    void why() {
        Map<String, String> reasons = new HashMap<>();
        for (String key : List.of("runs", "blocked", "paused", "lost", "retries", "soon", "late", "damaged")) {
            reasons.put(key, run("Why has this job not run", key).get(0).getString("why"));
        }
        assertThat(reasons)
                .containsEntry("runs", "it runs on node-1")
                .containsEntry("blocked", "blocked: calendar 'holidays' excludes every fire")
                .containsEntry("paused", "paused by ann: month end of paused")
                .containsEntry("lost", "lease of node-1 expired, to be recovered")
                .containsEntry("retries", "it failed and waits for its retry")
                .containsEntry("soon", "its time has not come")
                .containsEntry("late", "it is late: no live node runs its type, or all are busy");
        assertThat(reasons.get("damaged")).startsWith("blocked: the document cannot be read: ");
        jobs().updateOne(new Document("activeKey", "late"), new Document("$unset", new Document("due", "")));
        assertThat(run("Why has this job not run", "late").get(0))
                .containsEntry("why", "it cannot be claimed: it has no due");
        assertThat(run("Why has this job not run", "done")).isEmpty();
        Document postponed =
                new Document("$set", new Document("postponed", 1).append("lastStatus.outcome", "POSTPONED"));
        jobs().updateOne(new Document("activeKey", "retries"), postponed);
        assertThat(run("Why has this job not run", "retries").get(0))
                .containsEntry("why", "its helper has postponed it");
        Document changed = new Document("$unset", new Document("attempts", ""))
                .append("$set", new Document("lastStatus.outcome", "NONE"));
        jobs().updateOne(new Document("activeKey", "retries"), changed);
        assertThat(run("Why has this job not run", "retries").get(0))
                .containsEntry("why", "its helper has postponed it");
    }

    @Test
    @DisplayName("a pause that has ended is no reason why a job has not run")
    void endedPause() {
        Date ended = Date.from(store.serverTime().minusSeconds(60));
        jobs().updateOne(
                        new Document("activeKey", "paused"), new Document("$set", new Document("paused.until", ended)));
        assertThat(run("Why has this job not run", "paused").get(0).getString("why"))
                .doesNotStartWith("paused");
        assertThat(run("Why has this job not run", "soon").get(0).getString("why"))
                .isEqualTo("its time has not come");
    }

    @Test
    @DisplayName(
            "S19: deliveries of failure commands, acknowledgements and plannings are no failures, neither on the page nor in the view")
    void noFailures() {
        MongoCollection<Document> rows = client.getDatabase(database).getCollection("jobExecutionStatus");
        Document failed = rows.find(
                        new Document("jobSpecificationKey", "fails-now").append("executionStatus", "FAILED"))
                .first();
        for (String outcome : List.of("FAILURE_DELIVERED", "FAILURE_UNDELIVERED", "ACKNOWLEDGED", "REPLANNED")) {
            rows.insertOne(new Document(failed)
                    .append("_id", outcome)
                    .append("jobSpecificationKey", outcome)
                    .append("outcome", outcome));
        }
        jobsOfEachQuestion();
    }

    @Test
    @DisplayName("M7: the latest status by updatedTime is lastStatus, of a live job and of a finished one")
    void latest() {
        Document copy = run("The latest status of a job", "retries").get(0).get("lastStatus", Document.class);
        Document row = run("The latest status of a job 2", "retries").get(0);
        assertThat(copy).containsEntry("outcome", "ATTEMPT_FAILED");
        assertThat(row.getString("_id"))
                .as("the id goes on where that of the job ends")
                .endsWith(copy.getString("id"));
        assertThat(copy.get("updatedTime")).isEqualTo(row.get("updatedTime"));
        assertThat(run("The latest status of a job 2", "done"))
                .singleElement()
                .satisfies(last -> assertThat(last).containsEntry("executionStatus", "TRIGGERED"));
    }

    @Test
    @DisplayName("the history, newest first; the backlog by type; the nodes; the counts")
    void others() {
        assertThat(run("The history of a job", "fails-now"))
                .extracting(row -> row.getString("executionStatus"))
                .containsExactly("FAILED", "SCHEDULED");
        assertThat(run("How large the backlog is, by type", "-"))
                .singleElement()
                .satisfies(type -> assertThat(type).containsEntry("_id", "note").containsEntry("jobs", 3));
        assertThat(run("Which nodes are live, and what they run", "-"))
                .singleElement()
                .satisfies(node ->
                        assertThat(node).containsEntry("label", "host-1/4711").containsEntry("types", List.of("note")));
        assertThat(run("Which tags and types are paused", "-"))
                .singleElement()
                .satisfies(pause -> assertThat(pause)
                        .containsEntry("pauseOf", "tag:month-end")
                        .containsEntry("author", "ben")
                        .containsEntry("reason", "closing the books"));
        Map<String, Integer> counts = new HashMap<>();
        run("How many jobs there are", "-")
                .forEach(count -> counts.put(count.getString("_id"), count.getInteger("jobs")));
        assertThat(counts)
                .containsEntry("FAILED", 2)
                .containsEntry("TRIGGERED", 1)
                .containsKey("SCHEDULED");
    }

    @Test
    @DisplayName("a damaged document that was mended as the page says is claimed again; another one is not touched")
    void mend() {
        String id = stored("damaged").getObjectId("_id").toHexString();
        assertThat(run("Changing documents by hand", "-").get(0)).containsEntry("modifiedCount", 1L);
        assertThat(store.claim(new dev.almanac.store.ClaimRequest(
                                List.of(id),
                                now,
                                new dev.almanac.store.Lease("n", 1, now.plusSeconds(20)),
                                now.plusSeconds(22)))
                        .jobs())
                .hasSize(1);
        assertThat(run("Changing documents by hand", "-").get(0)).containsEntry("modifiedCount", 0L);
    }

    @Test
    @DisplayName("docs/upgrading.md: the stored versions of commands, and the time zone rules of the nodes")
    void upgrading() throws IOException {
        Map<String, ShellText> page = ShellText.ofPage("docs/upgrading.md");
        assertThat(page.keySet()).containsExactly("Your own commands", "Time zones");
        Document versions =
                page.get("Your own commands").run(client.getDatabase(database)).get(0);
        assertThat(versions.get("_id")).isEqualTo(new Document("type", "note").append("version", 1));
        assertThat(versions.getInteger("jobs"))
                .isEqualTo((int) jobs().countDocuments(new Document("activeKey", new Document("$exists", true))));
        assertThat(page.get("Time zones").run(client.getDatabase(database)))
                .containsExactly(new Document("_id", "2026a").append("nodes", List.of("host-1/4711")));
    }

    @Test
    @DisplayName("no block of the page is without a test")
    void complete() {
        List<String> tested = new ArrayList<>(answers().keySet());
        tested.addAll(List.of(
                "What did not run as planned",
                "Why has this job not run",
                "The latest status of a job",
                "The latest status of a job 2",
                "The history of a job",
                "How large the backlog is, by type",
                "Which nodes are live, and what they run",
                "How many jobs there are",
                "Which tags and types are paused",
                "Changing documents by hand"));
        assertThat(blocks.keySet()).containsExactlyInAnyOrderElementsOf(tested);
    }

    @Test
    @DisplayName("the shell itself, where it is on the PATH, takes every block and finds as many documents")
    void shell(@TempDir Path folder) throws Exception {
        Optional<Path> shell = Stream.of(
                        Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
                .filter(part -> !part.isBlank())
                .map(part -> Path.of(part, "mongosh"))
                .filter(Files::isExecutable)
                .findFirst();
        List<String> questions = blocks.keySet().stream()
                .filter(heading -> !heading.startsWith("Changing"))
                .toList();
        List<Integer> byDriver =
                questions.stream().map(heading -> run(heading, "runs").size()).toList();
        assertThat(byDriver).hasSameSizeAs(questions);
        if (shell.isPresent()) {
            assertThat(counted(shell.get(), questions, folder)).isEqualTo(byDriver);
        }
    }

    private List<Integer> counted(Path shell, List<String> questions, Path folder) throws Exception {
        StringBuilder script = new StringBuilder("db = db.getSiblingDB('" + database + "');\n");
        for (String heading : questions) {
            String text = blocks.get(heading).text().replace("pay-17", "runs");
            script.append("print((").append(text, 0, text.length() - 1).append(").toArray().length);\n");
        }
        Path file = Files.writeString(folder.resolve("questions.js"), script);
        Process process = new ProcessBuilder(shell.toString(), "--quiet", server.uri(), "--file", file.toString())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(out).isZero();
        return out.lines()
                .filter(line -> line.matches("\\d+"))
                .map(Integer::valueOf)
                .toList();
    }
}
