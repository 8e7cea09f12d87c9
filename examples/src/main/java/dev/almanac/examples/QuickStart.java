package dev.almanac.examples;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A job in fifteen lines. Arguments: connection string, database. */
public final class QuickStart {
    private QuickStart() {}

    /** What the job carries. */
    record Reminder(String customer) implements SchedulingCommand {}

    /** What runs it. */
    static final class Reminders implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Reminder;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            System.out.println("reminding " + ((Reminder) command).customer());
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Schedules a reminder in half a second, and waits until it has run. */
    public static void main(String[] arguments) throws InterruptedException {
        // snippet: quick-start
        try (MongoClient client = MongoClients.create(arguments[0]);
                Scheduler scheduler = Scheduler.builder()
                        .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(arguments[1])))
                        .command("reminder", 1, Reminder.class)
                        .helper(new Reminders())
                        .build()) {
            scheduler.start();
            scheduler.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey("reminder-4711")
                    .jobRequestor("billing")
                    .triggerCommand(new Reminder("Ann"))
                    .triggerIdentifier("4711")
                    .singleSchedule(Instant.now().plus(Duration.ofMillis(500)))
                    .build());
            while (scheduler.findJobById("reminder-4711").isPresent()) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
        // end
    }
}
