package dev.almanac.examples;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.calendars.Target2;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.time.CalendarPolicy;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * SEPA cut-offs. Credit transfers are cut off at 16:00 of every day on which TARGET2 is open; on the others there is no
 * cut-off. Fees are settled on the last day of the month or, if TARGET2 is closed then, on the last open day before.
 */
public final class CutOffs {
    private static final ZoneId FRANKFURT = ZoneId.of("Europe/Berlin");

    final Map<String, List<Instant>> closed = new ConcurrentHashMap<>();

    record CutOff(String what) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.command(
                        "cut-off",
                        1,
                        CutOff.class,
                        (cutOff, run) -> closed.computeIfAbsent(cutOff.what(), what -> new CopyOnWriteArrayList<>())
                                .add(run.fireTime()))
                .serviceName("sepa")
                .calendar("TARGET2", Target2.calendar());
    }

    static void schedule(Scheduler scheduler) {
        // snippet: target2
        scheduler.scheduleJob(cutOff("transfers", "0 0 16 * * ?").build());
        scheduler.scheduleJob(cutOff("fees", "0 0 16 L * ?")
                .calendarPolicy(CalendarPolicy.PRECEDING)
                .build());
        // end
    }

    private static JobSpecificationBuilder cutOff(String what, String cron) {
        return JobSpecification.recurring("cut-off-" + what, cron, FRANKFURT, new CutOff(what)).toBuilder()
                .calendar("TARGET2");
    }

    /** Schedules both, and prints when they fire next. */
    public static void main(String[] arguments) {
        Example.run(arguments, new CutOffs()::parts, scheduler -> {
            schedule(scheduler);
            for (String what : List.of("transfers", "fees")) {
                Instant next = scheduler
                        .findJobById("cut-off-" + what)
                        .orElseThrow()
                        .lastStatus()
                        .nextFireTime();
                System.out.println(what + ": " + next);
            }
        });
    }
}
