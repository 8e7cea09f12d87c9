package dev.almanac.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.typesafe.config.ConfigFactory;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The store that the settings describe")
class ConfiguredStoreTest {
    private static final String NOWHERE = "mongodb://localhost:1/?serverSelectionTimeoutMS=1";

    private static ConfiguredStore configured(String settings) {
        return new ConfiguredStore(AlmanacConfig.read(ConfigFactory.parseString(settings)));
    }

    @Test
    @DisplayName("X3: with a connection string, renewals have a client of their own; close() closes both")
    void own() {
        ConfiguredStore store = configured("almanac.store.uri = \"" + NOWHERE + "\"");
        store.store(() -> {
            throw new AssertionError("the client of the service is not needed");
        });
        List<MongoClient> clients = store.clients();
        assertThat(clients).hasSize(2).doesNotHaveDuplicates();
        store.close();
        store.close();
        assertThat(clients)
                .allSatisfy(client -> assertThatThrownBy(
                                () -> client.listDatabaseNames().first())
                        .isInstanceOf(IllegalStateException.class));
        assertThat(store.clients()).isEmpty();
    }

    @Test
    @DisplayName("without one, the client of the service is used and never closed")
    void theirs() {
        try (MongoClient client = MongoClients.create(NOWHERE)) {
            ConfiguredStore store = configured("almanac.store.database = orders");
            assertThat(store.store(() -> client)).isNotNull();
            assertThat(store.clients()).isEmpty();
            store.close();
            assertThat(client.getDatabase("orders").getName()).isEqualTo("orders");
            assertThat(client.getClusterDescription()).isNotNull();
        }
    }
}
