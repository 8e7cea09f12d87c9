package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.model.SchedulingCommand;
import java.util.Date;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code nodes}, {@code health}, {@code indexes}. */
class ClusterCommandsTest {
    private final Town town = Town.founded();

    record Report(String kind) implements SchedulingCommand {}

    @AfterEach
    void drop() {
        town.close();
    }

    private Scheduler node(String label) {
        return Scheduler.builder()
                .store(town.store())
                .command("report", 1, Report.class)
                .label(label)
                .build()
                .start();
    }

    @Test
    @DisplayName("8: nodes lists who has reported, and which of them are silent")
    void nodes() {
        assertThat(town.tell("nodes").out()).isEqualTo("no node has reported within the last hour\n");
        assertThat(town.tell("nodes", "--json").out()).isEqualTo("{\"nodes\":[]}\n");
        try (Scheduler node = node("till 1")) {
            town.database()
                    .getCollection("node")
                    .insertOne(new Document("_id", "zz")
                            .append("label", "till 2")
                            .append("started", new Date())
                            .append("seen", new Date(0)));
            assertThat(node.nodeId()).hasSize(24);
            assertThat(town.tell(Map.of("COLUMNS", "120"), "nodes").out()).isEqualTo("""
                    NODE                      LABEL   STATE   SEEN (UTC)           RUNS  TYPES
                    <id>  till 1  live    ####-##-## ##:##:##  0     report
                    zz                        till 2  silent  1970-01-01 00:00:00  0
                    """);
        }
    }

    @Test
    @DisplayName("O5: health is DOWN without a live node or a server, UP with one, and the exit code says so")
    void health() {
        assertThat(town.tell("health"))
                .isEqualTo(new Told(
                        1, "DOWN\nno node is live, so nothing runs; start a service, or almanac run FILE\n", ""));
        assertThat(Told.by(Map.of(), "health", "--json", "--uri", "mongodb://127.0.0.1:1", "--patience", "300ms"))
                .isEqualTo(new Told(
                        1,
                        "{\"state\":\"DOWN\",\"reasons\":[\"no MongoDB server answers at <host> within"
                                + " 300 ms; check that it runs, the host, the port and replicaSet in the connection string"
                                + " (connection refused)\"]}\n",
                        ""));
        try (Scheduler node = node("till 1")) {
            assertThat(node.nodeId()).isNotEmpty();
            assertThat(town.tell("health")).isEqualTo(new Told(0, "UP\n", ""));
            assertThat(town.tell("health", "--json").out()).isEqualTo("{\"state\":\"UP\",\"reasons\":[]}\n");
            town.database()
                    .getCollection("node")
                    .insertOne(new Document("_id", "other")
                            .append("seen", new Date(System.currentTimeMillis() + 60_000))
                            .append("zoneRules", "1999a"));
            Told mixed = town.tell("health");
            assertThat(mixed.exit()).isEqualTo(1);
            assertThat(mixed.out()).startsWith("DEGRADED\nthe nodes have different time zone databases, 1999a and ");
        }
    }

    @Test
    @DisplayName("6.2: indexes verify says what is missing, create mends it")
    void indexes() {
        assertThat(town.tell("indexes", "verify"))
                .isEqualTo(new Told(0, "mongodb <host>/" + town.name() + ": the indexes are as they must be\n", ""));
        town.database().getCollection("jobExecutionStatus").dropIndex("almanac_rows_of_job");
        Told told = town.tell("indexes", "verify");
        assertThat(told.exit()).isEqualTo(1);
        assertThat(told.err()).contains("almanac_rows_of_job").hasLineCount(1);
        assertThat(town.tell("indexes", "verify", "--json").out())
                .startsWith("{\"valid\":false,\"problem\":\"ALM-001 ");
        assertThat(town.tell("indexes", "create", "--json").out())
                .isEqualTo("{\"valid\":true,\"store\":\"mongodb <host>/" + town.name() + "\",\"warnings\":[]}\n");
    }
}
