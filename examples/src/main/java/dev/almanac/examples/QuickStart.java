package dev.almanac.examples;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** A first job. Arguments: connection string, database. */
public final class QuickStart {
    private QuickStart() {}

    /** Schedules a reminder in half a second, and waits until it has run. */
    public static void main(String[] arguments) throws InterruptedException {
        // snippet: quick-start
        record Reminder(String customer) implements SchedulingCommand {}
        MongoClient client = MongoClients.create(arguments[0]);
        Scheduler scheduler = Scheduler.builder()
                .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(arguments[1])))
                .serviceName("billing")
                .command("reminder", 1, Reminder.class, (reminder, run) -> System.out.println(reminder))
                .build()
                .start();
        Instant due = Instant.now().plusMillis(500);
        scheduler.scheduleJob(JobSpecification.oneOff("reminder-4711", due, new Reminder("Ann")));
        // end
        while (scheduler.findJobById("reminder-4711").isPresent()) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        scheduler.drain(Duration.ofSeconds(10));
        scheduler.close();
        client.close();
    }
}
