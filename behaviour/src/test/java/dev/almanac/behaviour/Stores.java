package dev.almanac.behaviour;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.InMemoryJobStore;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.testkit.time.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** What a world may remember with. */
enum Stores {
    MEMORY {
        @Override
        Opened open(ManualTime time) {
            return new Opened(new InMemoryJobStore(time), () -> {});
        }
    },
    /** A real server remembers, virtual time passes: only the server's clock is replaced. */
    MONGO {
        @Override
        Opened open(ManualTime time) {
            MongoServer server = MongoServer.shared();
            String database = server.freshDatabase();
            MongoClient client = MongoClients.create(server.uri());
            MongoJobStore store = MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database));
            JobStore timed = (JobStore) Proxy.newProxyInstance(
                    JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("serverTime")) {
                            return time.wall();
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
            return new Opened(timed, () -> {
                client.getDatabase(database).drop();
                client.close();
            });
        }
    };

    /** A new store, and how to do away with it. */
    record Opened(JobStore store, Runnable close) {}

    abstract Opened open(ManualTime time);
}
