package dev.almanac.console;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A client of a database, its store and schedulers; closed in the opposite order. Not thread-safe. */
final class StoreAccess implements AutoCloseable {
    private final MongoClient client;
    private final MongoStoreSettings settings;
    private final String hosts;
    private final Duration patience;
    private final MongoJobStore store;
    private Consumer<String> complaints = text -> {};
    private final Deque<Scheduler> schedulers = new ArrayDeque<>();

    StoreAccess(MongoClient client, MongoStoreSettings settings, String hosts, Duration patience) {
        this.client = client;
        this.settings = settings;
        this.hosts = hosts;
        this.patience = patience;
        this.store = MongoJobStore.tolerant(client, settings, this::complain);
    }

    /** The store; a scheduler opens it with its first question. A missing index is a warning, unless a node is to work with it. */
    MongoJobStore store() {
        return store;
    }

    /** The store for a command that asks no scheduler; call it once. */
    MongoJobStore opened() {
        store.open();
        return store;
    }

    /** The store as a node opens it: refused if its indexes are not as required. */
    MongoJobStore verifiedStore() {
        return MongoJobStore.create(client, settings);
    }

    /** A scheduler with the stored calendars and without command types: it shows commands as they are stored, and is never started. */
    Scheduler scheduler() {
        return kept(Scheduler.builder().store(store));
    }

    /** A scheduler on this store, with what the builder has already. Closed with this. */
    Scheduler scheduler(SchedulerBuilder builder) {
        return kept(builder.store(verifiedStore()));
    }

    private Scheduler kept(SchedulerBuilder builder) {
        Scheduler scheduler = builder.calendarReader(
                        definition -> CalendarDefinition.of(definition).calendar())
                .build();
        schedulers.push(scheduler);
        return scheduler;
    }

    /** Sets the receiver of problems of the store with which a command continues; it is called once. */
    void onComplaint(Consumer<String> listener) {
        complaints = listener;
    }

    private void complain(String text) {
        Consumer<String> listener = complaints;
        complaints = further -> {};
        listener.accept(text);
    }

    /** What people call the nodes that have reported within the last hour, by id; of a store that is open. */
    Map<String, String> nodeLabels() {
        return store.cluster().nodes(Instant.EPOCH).stream()
                .collect(Collectors.toMap(NodeReport::id, NodeReport::label, (one, other) -> one));
    }

    /** The database, for queries of documents. */
    MongoDatabase database() {
        return client.getDatabase(settings.database());
    }

    /** Names of database and collections. */
    MongoStoreSettings settings() {
        return settings;
    }

    /** The database and where it is, for people. */
    String place() {
        return "database '" + settings.database() + "' at " + hosts;
    }

    /** The hosts of the connection string, without user and password. */
    String hosts() {
        return hosts;
    }

    Duration patience() {
        return patience;
    }

    @Override
    public void close() {
        schedulers.forEach(Scheduler::close);
        client.close();
    }
}
