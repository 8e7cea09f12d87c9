package dev.almanac.mongo;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.contract.JobStoreContract;
import dev.almanac.testkit.server.MongoServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("database")
@DisplayName("6.7: the whole contract with a client that repeats no writes and no reads")
class NoRetryJobStoreContractTest extends JobStoreContract {
    private final MongoServer server = MongoServer.shared();
    private final MongoClient client = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(server.uri()))
            .retryWrites(false)
            .retryReads(false)
            .build());
    private final String database = server.freshDatabase();

    @Override
    protected JobStore emptyStore() {
        return MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database));
    }

    @AfterEach
    void drop() {
        client.getDatabase(database).drop();
        client.close();
    }
}
