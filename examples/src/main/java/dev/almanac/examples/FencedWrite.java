package dev.almanac.examples;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import java.time.Instant;
import org.bson.Document;

/**
 * A run writes into another collection. A node that was suspended for longer than its lease has not noticed that
 * another one has taken over its job, and may write late. Each claim of a job has a higher number than the one before;
 * a target that remembers the highest number and refuses lower ones is safe from such a write. The key is scheduled again each
 * day, and each of these jobs begins at 1: so the fires are ordered by their time, and by the number within a fire.
 */
public final class FencedWrite {
    private final MongoCollection<Document> accounts;

    FencedWrite(MongoCollection<Document> accounts) {
        this.accounts = accounts;
    }

    record CloseDay(String account, int balance) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.serviceName("ledger").command("close-day", 1, CloseDay.class, (closing, run) -> {
            if (!write(closing.account(), closing.balance(), run.fireTime(), run.fencingNumber())) {
                throw new IllegalStateException("a later run has written already");
            }
        });
    }

    /** False if a run of a later fire has written before, or one of this fire with a higher number. */
    boolean write(String account, int balance, Instant fire, long fence) {
        // snippet: fence
        try {
            accounts.updateOne(
                    Filters.and(
                            Filters.eq("_id", account),
                            Filters.or(
                                    Filters.lt("fire", fire),
                                    Filters.and(Filters.eq("fire", fire), Filters.lte("fence", fence)))),
                    Updates.combine(
                            Updates.set("balance", balance), Updates.set("fire", fire), Updates.set("fence", fence)),
                    new UpdateOptions().upsert(true));
            return true;
        } catch (MongoWriteException e) {
            if (e.getError().getCategory() != ErrorCategory.DUPLICATE_KEY) {
                throw e;
            }
            return false;
        }
        // end
    }

    static JobSpecification closeDay(String account, int balance, Instant at) {
        return JobSpecification.oneOff("close-day-" + account, at, new CloseDay(account, balance));
    }

    /** Closes the day of one account. */
    public static void main(String[] arguments) {
        try (MongoClient client = MongoClients.create(arguments[0])) {
            MongoCollection<Document> accounts =
                    client.getDatabase(arguments[1]).getCollection("account");
            Example.run(arguments, new FencedWrite(accounts)::parts, scheduler -> {
                scheduler.scheduleJob(closeDay("4711", 100, Instant.now().plusMillis(500)));
                Example.awaitEnd(scheduler, "close-day-4711");
            });
            System.out.println(accounts.find(Filters.eq("_id", "4711")).first());
        }
    }
}
