package dev.almanac.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.almanac.testkit.server.MongoServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class DemoTest {
    private static final Path ROOT = Path.of(System.getProperty("almanac.root"));

    @Test
    @DisplayName("the lines of the README that start the demo are understood by it; an unknown option is not")
    void documented() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("README.md")).stream()
                .filter(line -> line.startsWith("./almanac demo"))
                .toList();
        assertThat(lines)
                .isNotEmpty()
                .allSatisfy(line -> assertThatCode(() ->
                                read(line.substring("./almanac demo".length()).strip()))
                        .doesNotThrowAnyException());
        assertThatThrownBy(() -> read("--no-such-option")).isInstanceOf(ParameterException.class);
    }

    @Test
    @DisplayName("./almanac starts the demo as a program of its own, from the class path of the examples")
    void started() throws IOException {
        assertThat(Files.readString(ROOT.resolve("almanac")))
                .contains("$root/examples/target/classpath", " " + Demo.class.getName() + " \"$@\"\n");
    }

    @Test
    @DisplayName("16.10: the password of MONGODB_URI is in no argument of a process and in nothing that is printed")
    void secret() {
        String uri = "mongodb://ann:s3cret@db.example/?authSource=admin";
        ProcessBuilder node = Demo.process(uri, "day", "node-1", Path.of("ledger.tsv"));
        assertThat(node.command()).noneMatch(argument -> argument.contains("s3cret"));
        assertThat(node.environment()).containsEntry(DemoNode.URI, uri);
        DemoServer server = new DemoServer(uri, "the MongoDB server of MONGODB_URI", () -> {});
        assertThat(server.shown()).isEqualTo("mongodb://***");
        DemoServer open = new DemoServer("mongodb://127.0.0.1:1/?replicaSet=rs", "a real mongod", () -> {});
        assertThat(open.shown()).isEqualTo(open.uri());
    }

    @Test
    @DisplayName("17.5: the demo says what ran twice and why; where nothing did, it does not claim so")
    void explained() {
        assertThat(new DemoVerdict(320, 320, 9, 1, 9, List.of()).explanation())
                .isEqualTo("9 ran twice: the kill interrupted them; fencing numbers tell them apart.");
        assertThat(new DemoVerdict(320, 320, 0, 1, 1, List.of()).explanation())
                .contains("No attempt ran twice")
                .doesNotContain("fencing");
        assertThat(new DemoVerdict(320, 320, 1, 1, 1, List.of("x was started twice without a reason")).explanation())
                .contains("does not add up")
                .doesNotContain("the kill");
    }

    @Test
    @DisplayName("17.5: the demo counts what it lists: releases, settlements, cut-offs and five single jobs are all")
    void counted() {
        assertThat(new DemoPlan(Instant.EPOCH).jobs())
                .hasSize(DemoPlan.RELEASES + DemoPlan.SETTLEMENTS + DemoPlan.CUTOFFS.size() + 5);
    }

    @Test
    @DisplayName("17.5: --stop ends what demos have left running, and no other process that has its id now")
    void stopped(@TempDir Path folder) throws IOException, InterruptedException {
        DemoProcesses processes = new DemoProcesses(folder.resolve("demo"));
        Process left = new ProcessBuilder("sleep", "600").start();
        Process other = new ProcessBuilder("sleep", "600").start();
        try {
            processes.remember(left.toHandle(), "the server of a demo");
            Files.writeString(
                    processes.file(), other.pid() + "\t2001-01-01T00:00:00Z\tof long ago\n", StandardOpenOption.APPEND);
            StringWriter text = new StringWriter();
            processes.stop(new PrintWriter(text));
            assertThat(text.toString())
                    .isEqualTo("the server of a demo, process " + left.pid() + ", is ended\nended: 1\n");
            assertThat(left.waitFor(3, TimeUnit.MINUTES)).isTrue();
            assertThat(other.isAlive()).isTrue();
            assertThat(processes.file()).doesNotExist();
        } finally {
            left.destroyForcibly();
            other.destroyForcibly();
        }
    }

    @Test
    @DisplayName(
            "17.5: a node of the demo leaves in order when the day is over or it is told to end; a killed one does not")
    void drained(@TempDir Path folder) throws IOException, InterruptedException {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        Map<String, Process> nodes = new HashMap<>();
        try (MongoClient client = MongoClients.create(server.uri())) {
            for (String name : List.of("over", "told", "killed")) {
                nodes.put(
                        name,
                        Demo.process(server.uri(), database, name, folder.resolve("ledger.tsv"))
                                .start());
            }
            MongoCollection<Document> reports = client.getDatabase(database).getCollection("node");
            await().atMost(Duration.ofMinutes(3)).until(() -> reports.countDocuments() == 3);
            for (String name : nodes.keySet()) {
                Path said = folder.resolve(name + ".log");
                await().atMost(Duration.ofMinutes(3))
                        .until(() -> Files.readString(said).contains("ready"));
            }
            nodes.get("over").getOutputStream().close();
            nodes.get("told").destroy();
            nodes.get("killed").destroyForcibly();
            for (Process node : nodes.values()) {
                assertThat(node.waitFor(3, TimeUnit.MINUTES)).isTrue();
            }
            assertThat(reports.distinct("label", Filters.eq("stopped", true), String.class))
                    .containsExactlyInAnyOrder("over", "told");
            client.getDatabase(database).drop();
        } finally {
            nodes.values().forEach(Process::destroyForcibly);
        }
    }

    private static void read(String arguments) {
        new CommandLine(new Demo()).parseArgs(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    }
}
