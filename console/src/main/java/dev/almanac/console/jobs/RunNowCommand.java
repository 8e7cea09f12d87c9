package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.Job;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code almanac jobs run-now}. */
@Command(
        name = "run-now",
        mixinStandardHelpOptions = true,
        description = "Runs a job once, now, in addition to its plan; if it is running, once more afterwards.")
final class RunNowCommand extends SingleJobCommand {
    @Mixin
    private ActorOptions actor;

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = actor.sign(access.scheduler());
        Job job = scheduler.runNow(key());
        boolean held = job.pause() != null || JobLines.heldBy(job, scheduler.pauses()) != null;
        return changed(
                out,
                job,
                "a run of " + key() + " now was requested; " + when(job, held) + "; its plan stays: " + nextFire(job));
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
