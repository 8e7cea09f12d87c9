package dev.almanac.guice;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The client that the store talks through: the service's, or one of our own, which is then ours to close. Thread-safe. */
final class StoreClient implements AutoCloseable {
    private final @Nullable String uri;
    private @Nullable MongoClient own;

    /** @param uri of the server; absent = the service binds a client */
    StoreClient(@Nullable String uri) {
        this.uri = uri;
    }

    boolean isOwn() {
        return uri != null;
    }

    synchronized MongoClient get(Optional<MongoClient> bound) {
        if (uri == null) {
            return bound.orElseThrow(() -> new IllegalStateException(SchedulerModule.NO_CLIENT));
        }
        MongoClient client = own;
        if (client == null) {
            client = MongoClients.create(uri);
            own = client;
        }
        return client;
    }

    /** Closes the client if it is our own. Idempotent. */
    @Override
    public synchronized void close() {
        if (own != null) {
            own.close();
        }
    }
}
