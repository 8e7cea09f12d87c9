package dev.almanac.behaviour;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.JobRegister;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.testkit.time.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A real server remembers, virtual time passes: only the server's clock is replaced. */
final class MongoInVirtualTime implements AutoCloseable {
    private final MongoServer server = MongoServer.shared();
    private final String database = server.freshDatabase();
    private final MongoClient client;

    MongoInVirtualTime() {
        this(MongoClientSettings.builder());
    }

    /** @param settings of the client; the server's address is added */
    MongoInVirtualTime(MongoClientSettings.Builder settings) {
        client = MongoClients.create(settings.applyConnectionString(new ConnectionString(server.uri()))
                .build());
    }

    JobStore store(ManualTime time) {
        return store(time, "");
    }

    /** One of several schedulers in the database. */
    JobStore store(ManualTime time, String prefix) {
        MongoJobStore store = MongoJobStore.create(
                client, MongoStoreSettings.ofDatabase(database).withCollectionPrefix(prefix));
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), MongoJobStore.class.getInterfaces(), (proxy, method, arguments) -> {
                    if (method.getName().equals("serverTime")) {
                        return time.wall();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The database itself, to damage it. */
    MongoDatabase raw() {
        return client.getDatabase(database);
    }

    /** A session, for transactions. */
    ClientSession session() {
        return client.startSession();
    }

    /** Users' changes within the transaction of a session. */
    JobRegister inSession(ClientSession session) {
        return MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database))
                .inSession(session);
    }

    @Override
    public void close() {
        client.getDatabase(database).drop();
        client.close();
    }
}
