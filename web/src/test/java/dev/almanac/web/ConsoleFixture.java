package dev.almanac.web;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.web.guard.Defence;
import java.util.ArrayList;
import java.util.List;

/** A database of its own on the shared server, with nodes and a console. */
final class ConsoleFixture implements AutoCloseable {
    private final MongoServer server = MongoServer.shared();
    private final MongoClient client = MongoClients.create(server.uri());
    private final String database = server.freshDatabase();
    private final List<Scheduler> schedulers = new ArrayList<>();
    private final List<MountedConsole> consoles = new ArrayList<>();

    /** A user of the store; not started. */
    final Scheduler scheduler = scheduler(Scheduler.builder());

    MongoJobStore store() {
        return MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database));
    }

    MongoClient client() {
        return client;
    }

    String database() {
        return database;
    }

    Scheduler scheduler(SchedulerBuilder builder) {
        Scheduler scheduler = builder.store(store())
                .calendarReader(definition -> CalendarDefinition.of(definition).calendar())
                .build();
        schedulers.add(scheduler);
        return scheduler;
    }

    /** Without the limit on requests, which a fast machine reaches: a test of it takes {@link #guarded()} and a clock. */
    ConsoleBuilder console() {
        return guarded().without(Defence.RATE);
    }

    /** Waits for the database as long as a browser does: the limit of 2 s would make each page a test of speed. */
    ConsoleBuilder guarded() {
        return ConsoleServlet.builder()
                .store(store())
                .databaseTimeout(Browser.PATIENCE)
                .calendarReader(definition -> CalendarDefinition.of(definition).calendar());
    }

    /** A console that is closed with this fixture. */
    MountedConsole mount(ConsoleBuilder console) {
        MountedConsole mounted = MountedConsole.of(console.build());
        consoles.add(mounted);
        return mounted;
    }

    @Override
    public void close() {
        consoles.forEach(MountedConsole::close);
        schedulers.forEach(Scheduler::close);
        client.getDatabase(database).drop();
        client.close();
    }
}
