package dev.almanac.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.contract.JobStoreContract;
import org.junit.jupiter.api.AfterEach;

/** The whole contract on the server in the JVM, which demonstrations and fast tests may use (SPEC 6.7). */
class EmulatorJobStoreContractTest extends JobStoreContract {
    private final MongoServer server = new MongoServer(new MemoryBackend());
    private final MongoClient client = MongoClients.create(server.bindAndGetConnectionString());

    @Override
    protected JobStore emptyStore() {
        return MongoJobStore.create(client);
    }

    @AfterEach
    void stop() {
        client.close();
        server.shutdownNow();
    }
}
