package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
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
        String key = jobs.single();
        return key == null
                ? ActionAnswer.apply(out, scheduler, JobAction.runNow(), jobs.selection(), jobs.isDryRun())
                : one(scheduler, key, out);
    }

    private int one(Scheduler scheduler, String key, Output out) {
        Job job = scheduler.runNow(key);
        boolean held = job.pause() != null || JobLines.heldBy(job, scheduler.pauses()) != null;
        if (out.isJson()) {
            out.json(JobAnswer.of(job, List.of()));
        } else {
            out.line("a run of " + key + " now was requested; " + when(job, held) + "; its plan stays: "
                    + nextFire(job));
        }
        return 0;
    }

    private String nextFire(Job job) {
        ZoneId read = zone == null ? JobLines.zoneOf(job) : Times.zone(zone);
        return job.nextFireTime() == null
                ? "there is no next fire"
                : "next fire " + Times.both(job.nextFireTime(), read);
    }

    private static String when(Job job, boolean held) {
        if (job.blocked() != null) {
            return "it starts when the job is no longer blocked";
        }
        if (held) {
            return "it starts when the pause ends";
        }
        return job.runningOn() == null
                ? "a node that knows the command starts it"
                : "it starts when the current run has ended";
    }
}
