package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.terminal.NotFoundException;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.FindScope;
import dev.almanac.model.Job;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac jobs show}. */
@Command(name = "show", mixinStandardHelpOptions = true, description = "Shows everything about a job.")
final class ShowCommand extends SingleJobCommand {
    @Option(names = "--finished", description = "also one that has finished and was not removed yet")
    private boolean finished;

    @Override
    protected int answer(StoreAccess access, Output out) {
        FindScope scope = finished ? FindScope.INCLUDING_FINISHED : FindScope.LIVE;
        Scheduler scheduler = access.scheduler();
        Job job = scheduler.findJobById(key(), scope).orElseThrow(this::unknown);
        if (out.isJson()) {
            out.json(JobAnswer.of(job, scheduler.pauses(), access.nodeLabels()));
        } else {
            JobLines.print(out, job, scheduler.pauses(), zone(), node(access, job));
        }
        return 0;
    }

    private static @Nullable String node(StoreAccess access, Job job) {
        if (job.runningOn() == null) {
            return null;
        }
        String label = access.nodeLabels().get(job.runningOn());
        return "node " + job.runningOn() + (label == null ? "" : " (" + label + ")");
    }

    private NotFoundException unknown() {
        return new NotFoundException(
                finished
                        ? "no job '" + key() + "': it was never scheduled, or it has finished and was removed"
                        : "no live job '" + key() + "'; add --finished to see one that has finished,"
                                + " or look for its key: almanac jobs list --where-key-prefix TEXT");
    }
}
