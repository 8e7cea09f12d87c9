package dev.almanac.console.connection;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A client of a database and what is made of it; closed in the opposite order. Not thread-safe. */
public final class StoreAccess implements AutoCloseable {
    private final MongoClient client;
    private final MongoStoreSettings settings;
    private final String hosts;
    private final Duration patience;
    private final Deque<Scheduler> schedulers = new ArrayDeque<>();

    StoreAccess(MongoClient client, MongoStoreSettings settings, String hosts, Duration patience) {
        this.client = client;
        this.settings = settings;
        this.hosts = hosts;
        this.patience = patience;
    }

    /** The store, not opened yet. */
    public MongoJobStore store() {
        return MongoJobStore.create(client, settings);
    }

    /** A scheduler that knows no command types, and the stored calendars: it shows commands as they are stored, and is never started. */
    public Scheduler scheduler() {
        return scheduler(Scheduler.builder());
    }

    /** A scheduler on this store, with what the builder has already. Closed with this. */
    public Scheduler scheduler(SchedulerBuilder builder) {
        Scheduler scheduler = builder.store(store())
                .calendarReader(definition -> CalendarDefinition.of(definition).calendar())
                .build();
        schedulers.push(scheduler);
        return scheduler;
    }

    /** The database itself, for what only its documents tell. */
    public MongoDatabase database() {
        return client.getDatabase(settings.database());
    }

    /** The client, for what is not in a store. */
    public MongoClient client() {
        return client;
    }

    /** Names of database and collections. */
    public MongoStoreSettings settings() {
        return settings;
    }

    /** The database and where it is, for people. */
    public String place() {
        return "database '" + settings.database() + "' at " + hosts;
    }

    /** The hosts of the connection string, without user and password. */
    public String hosts() {
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
