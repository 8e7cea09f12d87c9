package dev.almanac.examples;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.SchedulingCommand;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A service declares its jobs in code, and makes the stored ones equal to them at each start. A job that is new in a
 * release is created, one that is changed is updated, one that is gone is cancelled, and the others keep their plan.
 * All nodes of a release may do so at once. Jobs that were scheduled in another way, or by another application, are not
 * changed.
 */
public final class DeclaredJobs {
    private static final String APPLICATION = "ledger";
    private static final ZoneId ZONE = ZoneOffset.UTC;

    final List<String> made = new CopyOnWriteArrayList<>();

    record MakeReport(String name) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.serviceName(APPLICATION)
                .command("make-report", 1, MakeReport.class, (report, run) -> made.add(report.name()));
    }

    /** @param crons of the reports of this release, by name */
    static ReconcileResult declare(Scheduler scheduler, Map<String, String> crons, boolean dryRun) {
        // snippet: reconcile
        List<JobSpecification> declared = crons.entrySet().stream()
                .map(report -> JobSpecification.recurring(
                        "report-" + report.getKey(), report.getValue(), ZONE, new MakeReport(report.getKey())))
                .toList();
        return scheduler.reconcile(APPLICATION, declared, dryRun);
        // end
    }

    /** Two releases, one after the other; the second one begins with a dry run. */
    public static void main(String[] arguments) {
        Example.run(arguments, new DeclaredJobs()::parts, scheduler -> {
            Map<String, String> first = Map.of("daily", "0 0 6 * * ?", "weekly", "0 0 7 ? * MON");
            System.out.println(declare(scheduler, first, false));
            Map<String, String> second = new TreeMap<>(first);
            second.remove("weekly");
            second.put("daily", "0 30 6 * * ?");
            second.put("monthly", "0 0 8 1 * ?");
            System.out.println(declare(scheduler, second, true));
            System.out.println(declare(scheduler, second, false));
        });
    }
}
