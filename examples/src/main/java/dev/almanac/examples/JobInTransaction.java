package dev.almanac.examples;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import java.time.Duration;
import java.time.Instant;
import org.bson.Document;

/**
 * An invoice and its reminder are stored together, or not at all. Arguments: connection string of a replica set, database,
 * and the amounts of the invoices; one that is negative is refused after its reminder was written, and leaves neither.
 */
public final class JobInTransaction {
    private JobInTransaction() {}

    /** Reminds of an invoice that has not been paid. */
    record Remind(String invoice) implements SchedulingCommand {}

    /** Stores an invoice for each amount. */
    public static void main(String[] arguments) {
        try (MongoClient client = MongoClients.create(arguments[0])) {
            MongoJobStore store = MongoJobStore.create(client, MongoStoreSettings.ofDatabase(arguments[1]));
            try (Scheduler scheduler = Scheduler.builder()
                    .store(store)
                    .serviceName("billing")
                    .command("remind", 1, Remind.class)
                    .build()) {
                for (int i = 2; i < arguments.length; i++) {
                    Document invoice = new Document("_id", "invoice-" + i).append("amount", Long.valueOf(arguments[i]));
                    try {
                        store(client, scheduler, store, arguments[1], invoice);
                    } catch (IllegalArgumentException refused) {
                        System.out.println(refused.getMessage());
                    }
                }
            }
        }
    }

    private static void store(
            MongoClient client, Scheduler scheduler, MongoJobStore store, String database, Document invoice) {
        MongoCollection<Document> invoices = client.getDatabase(database).getCollection("invoice");
        // snippet: transaction
        try (ClientSession session = client.startSession()) {
            JobWriter committed = session.withTransaction(() -> {
                JobWriter jobs = scheduler.in(store.inSession(session));
                jobs.scheduleJob(reminder(invoice.getString("_id")));
                check(invoice);
                invoices.insertOne(session, invoice);
                return jobs;
            });
            committed.committed();
        }
        // end
    }

    private static void check(Document invoice) {
        if (invoice.getLong("amount") < 0) {
            throw new IllegalArgumentException(invoice.getString("_id") + " has a negative amount");
        }
    }

    private static JobSpecification reminder(String invoice) {
        Instant due = Instant.now().plus(Duration.ofDays(14));
        return JobSpecification.oneOff("remind-" + invoice, due, new Remind(invoice));
    }
}
