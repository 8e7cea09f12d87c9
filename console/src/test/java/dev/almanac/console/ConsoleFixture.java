package dev.almanac.console;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.Scheduler;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.testkit.server.MongoServer;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** A database of a test's own on the real server, and commands on it. */
final class ConsoleFixture implements AutoCloseable {
    private final MongoServer server = MongoServer.shared();
    private final String database = server.freshDatabase();
    private final MongoClient client = MongoClients.create(server.uri());

    /** With the indexes that a store needs. */
    static ConsoleFixture withStore() {
        ConsoleFixture console = new ConsoleFixture();
        console.store().open();
        return console;
    }

    /** Nothing is there yet. */
    static ConsoleFixture withoutStore() {
        return new ConsoleFixture();
    }

    String uri() {
        return server.uri();
    }

    String name() {
        return database;
    }

    MongoDatabase database() {
        return client.getDatabase(database);
    }

    void drop(String... databases) {
        Arrays.stream(databases).forEach(name -> client.getDatabase(name).drop());
    }

    MongoJobStore store() {
        return MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database));
    }

    Scheduler scheduler() {
        return Scheduler.builder().store(store()).build();
    }

    CommandResult run(String... arguments) {
        return run(Map.of("COLUMNS", "80"), arguments);
    }

    CommandResult run(Map<String, String> environment, String... arguments) {
        return CommandResult.by(environment, here(arguments));
    }

    /** With a person at a terminal, who types this. */
    CommandResult answering(String answers, String... arguments) {
        return CommandResult.by(true, answers, Map.of("COLUMNS", "80", "NO_COLOR", "1"), here(arguments));
    }

    /** With a person at a terminal, who says yes after something else has happened. */
    CommandResult answeringAfter(Runnable meanwhile, String... arguments) {
        BufferedReader typed = new BufferedReader(Reader.nullReader()) {
            @Override
            public String readLine() {
                meanwhile.run();
                return "y";
            }
        };
        return CommandResult.by(true, typed, Map.of("COLUMNS", "80", "NO_COLOR", "1"), here(arguments));
    }

    /** Something else happens when the command prints for the first time. */
    CommandResult runBesides(Runnable other, String... arguments) {
        StringWriter out = new StringWriter() {
            private boolean begun;

            @Override
            public void write(String text, int offset, int length) {
                if (!begun) {
                    begun = true;
                    other.run();
                }
                super.write(text, offset, length);
            }
        };
        StringWriter err = new StringWriter();
        int exit = Main.run(
                new ProcessEnvironment(new PrintWriter(out), new PrintWriter(err), Map.of("COLUMNS", "80"), false),
                here(arguments));
        return new CommandResult(exit, CommandResult.alike(out.toString()), CommandResult.alike(err.toString()));
    }

    /** Of {@code almanac run}, which is interrupted once {@code there} holds. */
    CommandResult runUntil(Callable<Boolean> there, Map<String, String> environment, String... arguments) {
        return CommandResult.until(there, environment, here(arguments));
    }

    private String[] here(String... arguments) {
        List<String> whole = new ArrayList<>(Arrays.asList(arguments));
        whole.addAll(List.of("--uri", uri(), "--database", database));
        return whole.toArray(String[]::new);
    }

    /** A job that fires in 2100, and at no other time, where the options say nothing else. */
    CommandResult schedule(String key, String... more) {
        List<String> whole = new ArrayList<>(List.of("jobs", "schedule", "--key", key, "--requestor", "billing"));
        whole.addAll(List.of("--id", "r-1"));
        whole.addAll(Arrays.asList(more));
        if (!whole.contains("--at") && !whole.contains("--cron")) {
            whole.addAll(List.of("--cron", "0 0 12 1 1 ? 2100"));
        }
        if (!whole.contains("--type")) {
            whole.addAll(List.of("--type", "report"));
        }
        if (!whole.contains("--zone")) {
            whole.addAll(List.of("--zone", "UTC"));
        }
        return run(whole.toArray(String[]::new));
    }

    @Override
    public void close() {
        database().drop();
        client.close();
    }
}
