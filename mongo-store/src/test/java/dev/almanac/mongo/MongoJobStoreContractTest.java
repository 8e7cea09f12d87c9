package dev.almanac.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.contract.ClusterStoreContract;
import dev.almanac.testkit.contract.JobStoreContract;
import dev.almanac.testkit.contract.JobWatchContract;
import dev.almanac.testkit.server.MongoServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

class MongoJobStoreContractTest extends JobStoreContract {
    private final MongoServer server = MongoServer.shared();
    private final MongoClient client = MongoClients.create(server.uri());
    private final String database = server.freshDatabase();

    @Nested
    @DisplayName("and what nodes share beside the jobs")
    class Cluster extends ClusterStoreContract {
        @Override
        protected JobStore emptyStore() {
            return MongoJobStoreContractTest.this.emptyStore();
        }
    }

    @Nested
    @DisplayName("and hints at new jobs")
    class Watch extends JobWatchContract {
        @Override
        protected JobStore emptyStore() {
            return MongoJobStoreContractTest.this.emptyStore();
        }
    }

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
