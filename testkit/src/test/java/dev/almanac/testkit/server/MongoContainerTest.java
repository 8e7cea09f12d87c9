package dev.almanac.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.Optional;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MongoContainerTest {
    @Test
    @DisplayName("where Docker answers there is a replica set that answers, elsewhere there is none, and nobody waits")
    void container() {
        Optional<String> uri = MongoContainer.start();
        uri.ifPresent(given -> {
            try (MongoClient client = MongoClients.create(given)) {
                Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
                assertThat(hello.getString("setName")).isNotBlank();
            }
        });
        assertThat(uri.isPresent()).isEqualTo(MongoContainer.isDockerThere());
    }
}
