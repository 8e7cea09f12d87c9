package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.contract.ClusterStoreContract;
import dev.almanac.testkit.contract.JobStoreContract;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The whole contract on the server in the JVM, which demonstrations and fast tests may use. */
class EmulatorJobStoreContractTest extends JobStoreContract {
    private final MongoServer server = new MongoServer(new MemoryBackend());
    private final MongoClient client = MongoClients.create(server.bindAndGetConnectionString());

    @Nested
    @DisplayName("and what nodes share beside the jobs")
    class Cluster extends ClusterStoreContract {
        @Override
        protected JobStore emptyStore() {
            return EmulatorJobStoreContractTest.this.emptyStore();
        }
    }

    @Override
    protected JobStore emptyStore() {
        return MongoJobStore.create(client);
    }

    @Test
    @DisplayName("M9: a server that expires nothing is known as such")
    void expiresNothing() {
        assertThat(emptyStore().open().purges()).isFalse();
    }

    @Test
    @DisplayName("6.3: a server without change streams cannot be watched, and says so as a store does")
    void noStream() {
        JobStore store = emptyStore();
        store.open();
        assertThatThrownBy(() -> store.cluster().watch(Set.of("note"))).isInstanceOf(StoreException.class);
    }

    @AfterEach
    void stop() {
        client.close();
        server.shutdownNow();
    }
}
