package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.ActionReport;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code almanac jobs run-now}. */
@Command(
        name = "run-now",
        mixinStandardHelpOptions = true,
        description = "Runs a job once, now, in addition to its plan; if it is running, once more afterwards.")
final class RunNowCommand extends StoreCommand {
    @Mixin
    private JobSelectionOptions jobs;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "zone of the times shown (default: the job's, and UTC)")
    private @Nullable String zone;

    @Mixin
    private ActorOptions actor;

    @Override
    protected void check() {
        jobs.check();
        if (zone != null) {
            Times.zone(zone);
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = actor.sign(access.scheduler());
        jobs.confirm(scheduler, "run");
        String key = jobs.single();
        return key == null
                ? ActionAnswer.apply(out, scheduler, JobAction.runNow(), jobs.selection(), jobs.isDryRun())
                : one(access, scheduler, key, out);
    }

    private int one(StoreAccess access, Scheduler scheduler, String key, Output out) {
        if (out.isJson()) {
            out.json(JobAnswer.of(scheduler.runNow(key), List.of(), access.nodeLabels()));
            return 0;
        }
        // read before, so that what is printed is as for several jobs; the request itself says why it is refused
        List<ActionReport.Item> what = scheduler
                .apply(JobAction.runNow(), JobSelection.keys(key), true)
                .items();
        Job job = scheduler.runNow(key);
        what.forEach(item -> out.line(key + ": " + item.detail() + "; " + nextFire(job)));
        return 0;
    }

    private String nextFire(Job job) {
        ZoneId read = zone == null ? JobLines.zoneOf(job) : Times.zone(zone);
        return job.nextFireTime() == null
                ? "there is no next fire"
                : "next fire " + Times.both(job.nextFireTime(), read);
    }
}
