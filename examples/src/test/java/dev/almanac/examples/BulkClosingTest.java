package dev.almanac.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Bulks are in a database, their closings in days that take no time. */
class BulkClosingTest {
    private static final Duration AGE = Duration.ofHours(1);

    private final MongoServer server = MongoServer.shared();
    private final MongoClient client = MongoClients.create(server.uri());
    private final MongoDatabase database = client.getDatabase(server.freshDatabase());
    private final ExampleFixture fixture = new ExampleFixture("2026-03-02T08:00:00Z");
    private final List<List<String>> bulks = new ArrayList<>();

    private BulkClosing process(Consumer<List<String>> book) {
        return new BulkClosing(database.getCollection("bulk"), book);
    }

    @AfterEach
    void drop() {
        database.drop();
        client.close();
    }

    @Test
    @DisplayName("bulk: it is closed an hour after its first payment; the next payment opens another one")
    void closed() {
        BulkClosing example = process(bulks::add);
        ExampleFixture.Node node = fixture.node(example::parts);
        example.add(node.scheduler(), "ann", "1", fixture.now(), AGE);
        fixture.pass(Duration.ofMinutes(59));
        example.add(node.scheduler(), "ann", "2", fixture.now(), AGE);
        assertThat(bulks).isEmpty();
        fixture.pass(Duration.ofMinutes(2));
        assertThat(bulks).containsExactly(List.of("1", "2"));
        example.add(node.scheduler(), "ann", "3", fixture.now(), AGE);
        fixture.pass(Duration.ofMinutes(61));
        assertThat(bulks).containsExactly(List.of("1", "2"), List.of("3"));
    }

    @Test
    @DisplayName(
            "bulk: payments that arrive on two nodes are one bulk, which is closed although the node of the first has died")
    void twoNodes() {
        BulkClosing first = process(bulks::add);
        BulkClosing second = process(bulks::add);
        ExampleFixture.Node dies = fixture.node(first::parts);
        ExampleFixture.Node stays = fixture.node(second::parts);
        first.add(dies.scheduler(), "ann", "1", fixture.now(), AGE);
        dies.kill();
        second.add(stays.scheduler(), "ann", "2", fixture.now(), AGE);
        fixture.pass(Duration.ofMinutes(62));
        assertThat(bulks).containsExactly(List.of("1", "2"));
    }

    @Test
    @DisplayName("bulk: the closing of a bulk that is not there fails")
    void missing() {
        BulkClosing example = process(bulks::add);
        ExampleFixture.Node node = fixture.node(example::parts);
        String key = example.add(node.scheduler(), "ann", "1", fixture.now(), AGE);
        database.drop();
        fixture.pass(Duration.ofMinutes(61));
        assertThat(ExampleFixture.rows(node, key)).endsWith("FAILED/RETRIES_EXHAUSTED");
    }

    @Test
    @DisplayName("bulk: a payment that arrives while its closing runs opens another one, which is closed in time")
    void paymentDuringTheClosing() {
        List<Runnable> meanwhile = new ArrayList<>();
        BulkClosing example = process(bulk -> {
            bulks.add(bulk);
            meanwhile.forEach(Runnable::run);
            meanwhile.clear();
        });
        ExampleFixture.Node node = fixture.node(example::parts);
        meanwhile.add(() -> example.add(node.scheduler(), "ann", "2", fixture.now(), AGE));
        example.add(node.scheduler(), "ann", "1", fixture.now(), AGE);
        fixture.pass(Duration.ofMinutes(61));
        assertThat(bulks).containsExactly(List.of("1"));
        fixture.pass(Duration.ofMinutes(60));
        assertThat(bulks).containsExactly(List.of("1"), List.of("2"));
    }
}
