package dev.almanac.examples;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.calendars.Calendars;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import java.time.ZoneId;

/** The job of the README: a report on each working day. Arguments: connection string, database. */
public final class FirstJob {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private FirstJob() {}

    /** Schedules the report, runs it once at once, and waits until it has run. */
    public static void main(String[] arguments) {
        try (MongoClient client = MongoClients.create(arguments[0]);
                Scheduler scheduler = start(client, arguments[1])) {
            scheduler.runNow("report");
            Example.await(
                    scheduler,
                    "report",
                    () -> scheduler.history("report").stream().anyMatch(row -> row.outcome() == Outcome.SUCCEEDED));
        }
    }

    private static Scheduler start(MongoClient client, String database) {
        // snippet: first-job
        record Report(String desk) implements SchedulingCommand {}
        Scheduler scheduler = Scheduler.builder()
                .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database)))
                .serviceName("reports")
                .calendar("weekends", Calendars.weekends())
                .command("report", 1, Report.class, (report, run) -> System.out.println("report of " + report.desk()))
                .build()
                .start();
        scheduler.scheduleJob(JobSpecification.recurring("report", "0 30 7 * * ?", BERLIN, new Report("fx")).toBuilder()
                .calendar("weekends")
                .retryPolicy("R3/PT5M")
                .build());
        // end
        return scheduler;
    }
}
