package dev.almanac.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.contract.JobWatchContract;
import dev.almanac.testkit.server.MongoServer;
import org.junit.jupiter.api.AfterEach;

class MongoJobWatchContractTest extends JobWatchContract {
    private final MongoServer server = MongoServer.shared();
    private final MongoClient client = MongoClients.create(server.uri());
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
