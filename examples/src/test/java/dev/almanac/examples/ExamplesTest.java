package dev.almanac.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.testkit.server.MongoServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ExamplesTest {
    @Test
    @DisplayName("the quick start runs, and its job has ended well")
    void quickStart() throws InterruptedException {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        QuickStart.main(new String[] {server.uri(), database});
        try (MongoClient client = MongoClients.create(server.uri())) {
            Document row = client.getDatabase(database)
                    .getCollection("jobExecutionStatus")
                    .find(new Document("outcome", "SUCCEEDED"))
                    .first();
            assertThat(row.getString("executionStatus")).isEqualTo("TRIGGERED");
            client.getDatabase(database).drop();
        }
    }

    @Test
    @DisplayName("the README shows the compiled quick start, line by line")
    void readme() throws IOException {
        Path root = Path.of(System.getProperty("almanac.root"));
        List<String> source =
                Files.readAllLines(root.resolve("examples/src/main/java/dev/almanac/examples/QuickStart.java"));
        int begin = source.indexOf("        // snippet: quick-start");
        int end = source.indexOf("        // end");
        List<String> snippet = source.subList(begin + 1, end).stream()
                .map(line -> line.substring(8))
                .toList();
        assertThat(Files.readString(root.resolve("README.md"))).contains(String.join("\n", snippet));
    }
}
