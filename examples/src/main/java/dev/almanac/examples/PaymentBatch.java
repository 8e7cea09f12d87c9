package dev.almanac.examples;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A batch of payments is released at its date. If the date is moved, the same key is scheduled again: this moves the
 * job; no second one is created. The date is wall time in the zone of the bank.
 */
public final class PaymentBatch {
    private static final ZoneId BANK = ZoneId.of("Europe/Brussels");

    final List<String> released = new CopyOnWriteArrayList<>();

    record ReleaseBatch(String batch) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.serviceName("payments")
                .command("release-batch", 1, ReleaseBatch.class, (release, run) -> released.add(release.batch()));
    }

    static String key(String batch) {
        return "payment-batch-" + batch;
    }

    /** Schedules the release, or moves it. */
    static void releaseAt(Scheduler scheduler, String batch, LocalDateTime date) {
        // snippet: re-date
        scheduler.scheduleJob(JobSpecification.oneOff(key(batch), date, BANK, new ReleaseBatch(batch)));
        // end
    }

    /** Schedules a release for tomorrow, moves it to the next second, and waits for it. */
    public static void main(String[] arguments) {
        PaymentBatch example = new PaymentBatch();
        Example.run(arguments, example::parts, scheduler -> {
            LocalDateTime now = LocalDateTime.now(BANK);
            releaseAt(scheduler, "4711", now.plusDays(1));
            releaseAt(scheduler, "4711", now.plusSeconds(1));
            Example.awaitEnd(scheduler, key("4711"));
        });
        System.out.println("released: " + example.released);
    }
}
