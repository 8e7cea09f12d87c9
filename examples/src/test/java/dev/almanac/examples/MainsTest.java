package dev.almanac.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.testkit.server.MongoServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every main runs on a real server, and leaves the rows that it should. */
class MainsTest {
    private final MongoServer server = MongoServer.shared();
    private final MongoClient client = MongoClients.create(server.uri());
    private final MongoDatabase database = client.getDatabase(server.freshDatabase());

    @AfterEach
    void drop() {
        database.drop();
        client.close();
    }

    private List<String> rows(Consumer<String[]> main) {
        main.accept(new String[] {server.uri(), database.getName()});
        List<String> rows = new ArrayList<>();
        database.getCollection("jobExecutionStatus")
                .find()
                .sort(new Document("updatedTime", 1))
                .forEach(row -> rows.add(row.getString("executionStatus") + "/" + row.getString("outcome")));
        return rows;
    }

    @Test
    @DisplayName("the payment batch is re-dated and released")
    void paymentBatch() {
        assertThat(rows(PaymentBatch::main)).containsExactly("SCHEDULED/NONE", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("the cut-offs are planned")
    void cutOffs() {
        assertThat(rows(CutOffs::main)).containsExactly("SCHEDULED/NONE", "SCHEDULED/NONE");
    }

    @Test
    @DisplayName("the file guard is moved once and fires once")
    void fileGuard() {
        assertThat(rows(FileGuard::main)).containsExactly("SCHEDULED/NONE", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("the bulk is closed once")
    void bulkClosing() {
        assertThat(rows(BulkClosing::main)).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("one reminder arrives, of the other a clerk is informed")
    void invoiceReminder() {
        assertThat(rows(InvoiceReminder::main))
                .containsExactlyInAnyOrder(
                        "SCHEDULED/NONE",
                        "SCHEDULED/NONE",
                        "TRIGGERED/SUCCEEDED",
                        "SCHEDULED/ATTEMPT_FAILED",
                        "FAILED/RETRIES_EXHAUSTED",
                        "FAILED/FAILURE_DELIVERED");
    }

    @Test
    @DisplayName("twelve calls of the bank, each once")
    void bankApi() {
        assertThat(rows(BankApi::main))
                .filteredOn(row -> row.equals("SCHEDULED/NONE"))
                .hasSize(12);
    }

    @Test
    @DisplayName("two invoices, and a confirmation of each")
    void invoiceRun() {
        assertThat(rows(InvoiceRun::main))
                .filteredOn(row -> row.equals("TRIGGERED/SUCCEEDED"))
                .hasSizeBetween(2, 4);
    }

    @Test
    @DisplayName("the script runs once")
    void onceOnlyScript() {
        assertThat(rows(OnceOnlyScript::main)).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("the fenced write arrives; one with an older number is refused, one with the same or a newer is not")
    void fencedWrite() {
        assertThat(rows(FencedWrite::main)).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        FencedWrite target = new FencedWrite(database.getCollection("account"));
        Document closed = database.getCollection("account").find().first();
        assertThat(closed).containsEntry("balance", 100).containsEntry("fence", 1L);
        Instant day = closed.getDate("fire").toInstant();
        assertThat(target.write("4711", 300, day, 3)).isTrue();
        assertThat(target.write("4711", 200, day, 2))
                .as("a run that was cut off")
                .isFalse();
        assertThat(database.getCollection("account").find().first()).containsEntry("balance", 300);
        assertThat(target.write("4711", 301, day, 3)).isTrue();
        assertThat(target.write("4712", 5, day, 1)).isTrue();
    }

    @Test
    @DisplayName(
            "the fenced write of the next day arrives, whose job begins at 1 again; then one of the day before is refused")
    void fencedWriteOfTheNextDay() {
        FencedWrite target = new FencedWrite(database.getCollection("account"));
        Instant day = Instant.parse("2026-03-02T22:00:00Z");
        Instant next = Instant.parse("2026-03-03T22:00:00Z");
        assertThat(target.write("4711", 100, day, 2)).as("after a second claim").isTrue();
        assertThat(target.write("4711", 200, next, 1)).isTrue();
        assertThat(target.write("4711", 100, day, 2))
                .as("a run that was suspended")
                .isFalse();
        assertThat(database.getCollection("account").find().first()).containsEntry("balance", 200);
    }

    @Test
    @DisplayName("the import goes on where the run before has stopped, and each row of a run keeps what it said last")
    void incrementalImport() {
        assertThat(rows(IncrementalImport::main))
                .containsExactly("SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "SCHEDULED/SUCCEEDED", "TRIGGERED/SUCCEEDED");
        List<Object> states = new ArrayList<>();
        database.getCollection("jobExecutionStatus")
                .find(new Document("outcome", "SUCCEEDED"))
                .sort(new Document("updatedTime", 1))
                .forEach(row -> {
                    assertThat(row.getString("note")).isEqualTo("importing customer");
                    states.add(row.get("state", Document.class).get("next"));
                });
        assertThat(states).containsExactly(2, 4, 5);
    }

    @Test
    @DisplayName("the second release creates, updates and cancels one job each")
    void declaredJobs() {
        assertThat(rows(DeclaredJobs::main))
                .containsExactlyInAnyOrder(
                        "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/NONE", "CANCELED/CANCELED");
    }
}
