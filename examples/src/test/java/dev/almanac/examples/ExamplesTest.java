package dev.almanac.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.testkit.server.MongoServer;
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
    @DisplayName("the job of the README runs")
    void readme() {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        FirstJob.main(new String[] {server.uri(), database});
        try (MongoClient client = MongoClients.create(server.uri())) {
            assertThat(client.getDatabase(database)
                            .getCollection("jobSpecification")
                            .find()
                            .map(job -> job.getString("retryPolicy")))
                    .containsExactly("R3/PT5M");
            client.getDatabase(database).drop();
        }
    }
}
