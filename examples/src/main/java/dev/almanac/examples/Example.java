package dev.almanac.examples;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The base of the programs of this package: one node on MongoDB, and waiting for results. */
final class Example {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Example() {}

    /**
     * Starts a node, does what the example does, and closes it.
     *
     * @param arguments connection string and database
     * @param parts sets the node's commands, helpers and calendars
     */
    static void run(String[] arguments, UnaryOperator<SchedulerBuilder> parts, Consumer<Scheduler> play) {
        run(arguments, parts, scheduler -> {}, play);
    }

    /** @param before is done before the node starts, so that no job fires during it */
    static void run(
            String[] arguments,
            UnaryOperator<SchedulerBuilder> parts,
            Consumer<Scheduler> before,
            Consumer<Scheduler> play) {
        try (MongoClient client = MongoClients.create(arguments[0]);
                Scheduler scheduler = parts.apply(Scheduler.builder()
                                .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(arguments[1]))))
                        .build()) {
            before.accept(scheduler);
            scheduler.start();
            play.accept(scheduler);
        }
    }

    /** Waits until the job is finished; if that takes too long, explains why it is not. */
    static void awaitEnd(Scheduler scheduler, String key) {
        await(scheduler, key, () -> scheduler.findJobById(key).isEmpty());
    }

    /** Waits until the condition holds; if that takes too long, explains the job. */
    static void await(Scheduler scheduler, String key, BooleanSupplier so) {
        Instant patience = Instant.now().plus(PATIENCE);
        while (!so.getAsBoolean()) {
            if (Instant.now().isAfter(patience)) {
                throw new IllegalStateException(scheduler.explainJob(key).headline());
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}
