package dev.almanac.faults;

import static dev.almanac.faults.EvidenceTest.line;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.testkit.server.MongoServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakJudgeTest {
    @TempDir
    private Path folder;

    private MongoClient client;
    private MongoDatabase database;
    private Evidence evidence;

    @BeforeEach
    void create() {
        client = MongoClients.create(MongoServer.shared().uri());
        database = client.getDatabase(MongoServer.shared().freshDatabase());
        evidence = new Evidence(folder.resolve("evidence.tsv"));
    }

    @AfterEach
    void drop() {
        database.drop();
        client.close();
    }

    private void row(String outcome, long claim) {
        database.getCollection("jobExecutionStatus")
                .insertOne(new Document("jobSpecificationKey", "k")
                        .append("outcome", outcome)
                        .append("claimSeq", claim));
    }

    private List<String> judge(String... lines) throws IOException {
        Files.writeString(evidence.file(), String.join("", lines));
        return new SoakJudge(database, evidence, folder.resolve("answers.tsv")).judge();
    }

    @Test
    @DisplayName("a start that is noted after that of a later claim is one of an abandoned claim")
    void lateStart() throws IOException {
        String[] starts = {line("start", "k", 20, 2, 100), line("start", "k", 10, 1, 105)};
        assertThat(judge(starts)).singleElement().asString().contains("after that of a later claim");
        row("ABANDONED", 1);
        assertThat(judge(starts)).as("that row tells of an earlier claim").hasSize(1);
        row("ABANDONED", 2);
        assertThat(judge(starts)).isEmpty();
    }

    @Test
    @DisplayName("an attempt is started once more only if its claim was abandoned, and never with the same number")
    void again() throws IOException {
        String[] starts = {line("start", "k", 10, 1, 100), line("start", "k", 10, 2, 105)};
        assertThat(judge(starts)).singleElement().asString().contains("started once more");
        row("ABANDONED", 2);
        assertThat(judge(starts)).isEmpty();
        assertThat(judge(line("start", "k", 10, 1, 100), line("start", "k", 20, 1, 105)))
                .singleElement()
                .asString()
                .contains("two starts have a fencing number");
    }

    @Test
    @DisplayName("M4: after CANCELED nothing is started but by a process that was stopped before")
    void canceled() throws IOException {
        Files.writeString(folder.resolve("answers.tsv"), "canceled\tk\t100\n");
        assertThat(judge()).singleElement().asString().contains("no row says so");
        row("CANCELED", 3);
        assertThat(judge(line("start", "k", 10, 3, 99))).isEmpty();
        assertThat(judge(line("start", "k", 10, 4, 99))).hasSize(1);
        assertThat(judge(line("start", "k", 10, 3, 105))).hasSize(1);
        row("ABANDONED", 3);
        assertThat(judge(line("start", "k", 10, 3, 105))).isEmpty();
        assertThat(judge(line("start", "k", 10, 4, 105))).hasSize(1);
    }

    /** The document of a job that has ended well, and its row. */
    private Document ended() {
        ObjectId id = new ObjectId();
        database.getCollection("jobExecutionStatus")
                .insertOne(new Document("_id", id.toHexString() + ":row")
                        .append("jobSpecificationId", id)
                        .append("executionStatus", "TRIGGERED")
                        .append("updatedTime", new Date(0)));
        return new Document("_id", id)
                .append("jobSpecificationKey", "k")
                .append("lastStatus", new Document("id", ":row").append("executionStatus", "TRIGGERED"))
                .append("deleteTime", Date.from(Instant.now().plusSeconds(3600)));
    }

    private void assertWrong(Document job, String what) {
        assertThat(Cluster.violations(database, job)).singleElement().asString().contains(what);
    }

    @Test
    @DisplayName("a job that is over cannot be claimed, is held by nobody, and agrees with its newest row")
    void document() throws IOException {
        assertThat(Cluster.violations(database, ended())).isEmpty();
        Document live = ended();
        live.remove("deleteTime");
        assertWrong(live, "is not over");
        assertWrong(ended().append("deleteTime", new Date(0)), "was to be deleted");
        assertWrong(ended().append("due", new Date()), "due or leased");
        assertWrong(ended().append("lease", new Document()), "due or leased");
        assertWrong(ended().append("_id", new ObjectId()), "is none");
        assertWrong(
                ended().append("lastStatus", new Document("id", ":row").append("executionStatus", "FAILED")),
                "the newest row");
        database.getCollection("jobSpecification").insertOne(ended());
        assertThat(judge()).singleElement().asString().contains("never started");
        assertThat(judge(line("start", "k", 10, 1, 100))).isEmpty();
    }
}
