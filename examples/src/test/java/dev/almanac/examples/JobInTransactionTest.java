package dev.almanac.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.testkit.server.MongoServer;
import java.util.ArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JobInTransactionTest {
    @Test
    @DisplayName("an invoice and its reminder are stored together; one that is refused leaves neither, nor a row")
    void together() {
        MongoServer server = MongoServer.shared();
        String name = server.freshDatabase();
        JobInTransaction.main(new String[] {server.uri(), name, "100", "-5", "300"});
        try (MongoClient client = MongoClients.create(server.uri())) {
            MongoDatabase database = client.getDatabase(name);
            assertThat(database.getCollection("invoice")
                            .find()
                            .map(invoice -> invoice.getString("_id"))
                            .into(new ArrayList<>()))
                    .containsExactly("invoice-2", "invoice-4");
            assertThat(database.getCollection("jobSpecification")
                            .find()
                            .map(job -> job.getString("activeKey"))
                            .into(new ArrayList<>()))
                    .containsExactly("remind-invoice-2", "remind-invoice-4");
            assertThat(database.getCollection("jobExecutionStatus").countDocuments())
                    .isEqualTo(2);
            database.drop();
        }
    }
}
