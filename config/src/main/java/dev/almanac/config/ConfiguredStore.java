package dev.almanac.config;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.mongo.MongoJobStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The store that the settings describe. With {@code almanac.store.uri} it has clients of its own, which {@link #close}
 * closes; without it, it uses the client of the service, which is never closed here. A second client, for renewals, is its
 * own in both cases: then no other call can delay them (rule X3). Thread-safe.
 */
public final class ConfiguredStore implements AutoCloseable {
    /** Renewals that are repeated need few connections. */
    private static final int SECOND_POOL = 2;

    private final AlmanacConfig config;
    private final List<MongoClient> own = new ArrayList<>();

    /** Makes no client yet. */
    public ConfiguredStore(AlmanacConfig config) {
        this.config = config;
    }

    /** Makes a client like that of the service. */
    public interface SecondClient {
        /**
         * @param connections how many it may have
         * @return absent if it is not known how the client of the service was made; it is closed with the store
         */
        @Nullable
        MongoClient create(int connections);
    }

    /**
     * A store, which asks nothing of the server yet. Clients of its own are made here: the driver connects from now on, on
     * threads of its own, until {@link #close}.
     *
     * @param client the client of the service; used only if the settings have no connection string
     */
    public MongoJobStore store(Supplier<MongoClient> client) {
        return store(client, connections -> null);
    }

    /**
     * The same.
     *
     * @param second makes the one for renewals; used only if the settings have no connection string
     */
    public MongoJobStore store(Supplier<MongoClient> client, SecondClient second) {
        String uri = config.uri();
        if (uri == null) {
            MongoJobStore store = MongoJobStore.create(client.get(), config.store());
            MongoClient renewals = second.create(SECOND_POOL);
            return renewals == null ? store : store.withSecondClient(owned(renewals));
        }
        MongoClientSettings.Builder settings =
                MongoClientSettings.builder().applyConnectionString(new ConnectionString(uri));
        MongoClient first = owned(MongoClients.create(settings.build()));
        MongoClient renewals = owned(MongoClients.create(
                settings.applyToConnectionPoolSettings(pool -> pool.minSize(0).maxSize(SECOND_POOL))
                        .build()));
        return MongoJobStore.create(first, config.store()).withSecondClient(renewals);
    }

    /**
     * Names the option of a connection string that the driver refuses, without its value, which may be a secret.
     *
     * @param uri a connection string that the driver does not accept
     * @return a part of a sentence; absent if the string is not made acceptable by leaving out one option
     */
    public static @Nullable String wrongOption(String uri) {
        int mark = uri.indexOf('?');
        List<String> options =
                mark < 0 ? List.of() : List.of(uri.substring(mark + 1).split("&"));
        for (String option : options) {
            String name = option.split("=", 2)[0];
            String others =
                    options.stream().filter(other -> !other.equals(option)).collect(Collectors.joining("&"));
            if (name.matches("[A-Za-z]{1,40}") && isAccepted(uri.substring(0, mark + 1) + others)) {
                return "the option " + name + " has a value that the driver of MongoDB does not accept, or one that"
                        + " does not go with the others; it is not shown here, since the text may hold a password";
            }
        }
        return null;
    }

    private static boolean isAccepted(String uri) {
        try {
            new ConnectionString(uri);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private synchronized MongoClient owned(MongoClient client) {
        own.add(client);
        return client;
    }

    /** The clients that are its own, first the one of all calls, then that of renewals. */
    synchronized List<MongoClient> clients() {
        return List.copyOf(own);
    }

    /** Closes the clients that are its own. Idempotent. */
    @Override
    public synchronized void close() {
        own.forEach(MongoClient::close);
        own.clear();
    }
}
