package dev.almanac.behaviour;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.testkit.time.ManualTime;
import org.junit.jupiter.api.AfterEach;

/** A real server remembers, virtual time passes. */
class InsightOnMongoTest extends InsightContract {
    private final MongoServer server = MongoServer.shared();
    private final String database = server.freshDatabase();
    private final MongoClient client = MongoClients.create(server.uri());

    @AfterEach
    void drop() {
        client.getDatabase(database).drop();
        client.close();
    }

    @Override
    JobStore store(ManualTime time) {
        MongoJobStore store = MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database));
        return VirtualServerTime.of(store, time);
    }
}
