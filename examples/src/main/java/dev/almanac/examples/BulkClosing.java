package dev.almanac.examples;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.IfExists;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.bson.Document;

/**
 * Payments are collected into a bulk, which is closed when it is of a certain age. Bulks are in the database, since a closing may
 * run on another node than that of a payment. Every payment schedules the closing with {@code IfExists.ONCE}: the first one
 * of a bulk sets the time, the others do not change it, whichever node they arrive on, and also if the closing has ended
 * meanwhile. Each bulk has a key of its own: under one of the customer, only the first bulk would be closed.
 *
 * <p>A process that dies between its payment and the closing leaves the closing to the next payment; {@link JobInTransaction} shows
 * how both are stored together.
 */
public final class BulkClosing {
    private static final FindOneAndUpdateOptions CHANGED =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

    private final MongoCollection<Document> bulks;
    private final Consumer<List<String>> book;

    /**
     * @param bulks of all customers, those that were closed, too
     * @param book receives the payments of a bulk that is closed; again, if its node died in it
     */
    BulkClosing(MongoCollection<Document> bulks, Consumer<List<String>> book) {
        this.bulks = bulks;
        this.book = book;
    }

    record CloseBulk(String key) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.serviceName("bulks")
                .command("close-bulk", 1, CloseBulk.class, (closing, run) -> close(closing.key()));
    }

    /** From then on a payment opens another bulk. */
    private void close(String key) {
        Document bulk = bulks.findOneAndUpdate(Filters.eq("_id", key), Updates.set("open", false), CHANGED);
        if (bulk == null) {
            throw new IllegalStateException("bulk '" + key + "' is not in the database");
        }
        book.accept(bulk.getList("payments", String.class));
    }

    /** Adds a payment; returns the key of its bulk. */
    String add(Scheduler scheduler, String customer, String payment, Instant now, Duration age) {
        Document bulk = bulks.findOneAndUpdate(
                Filters.and(Filters.eq("customer", customer), Filters.eq("open", true)),
                Updates.combine(
                        Updates.setOnInsert("_id", "bulk-" + customer + "-" + UUID.randomUUID()),
                        Updates.push("payments", payment)),
                new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
        String key = bulk.getString("_id");
        // snippet: once
        JobSpecification closing = JobSpecification.oneOff(key, now.plus(age), new CloseBulk(key));
        scheduler.scheduleJob(closing, IfExists.ONCE);
        // end
        return key;
    }

    /** Three payments, one bulk. */
    public static void main(String[] arguments) {
        List<List<String>> booked = new CopyOnWriteArrayList<>();
        List<String> keys = new CopyOnWriteArrayList<>();
        try (MongoClient client = MongoClients.create(arguments[0])) {
            BulkClosing example =
                    new BulkClosing(client.getDatabase(arguments[1]).getCollection("bulk"), booked::add);
            Consumer<Scheduler> payments = scheduler -> {
                for (String payment : List.of("12.50", "7.00", "3.20")) {
                    keys.add(example.add(scheduler, "ann", payment, Instant.now(), Duration.ofSeconds(1)));
                }
            };
            Example.run(arguments, example::parts, payments, scheduler -> Example.awaitEnd(scheduler, keys.get(0)));
        }
        System.out.println("bulks: " + booked);
    }
}
