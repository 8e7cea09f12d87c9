package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.NotFoundException;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.JobAction;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code almanac jobs cancel}. */
@Command(name = "cancel", mixinStandardHelpOptions = true, description = "Cancels jobs: they do not fire again.")
final class CancelCommand extends StoreCommand {
    @Mixin
    private JobSelectionOptions jobs;

    @Mixin
    private ActorOptions actor;

    @Option(names = "--interrupt", description = "also interrupt a run in progress, on whichever node it is")
    private boolean interrupt;

    @Override
    protected void check() {
        jobs.check();
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = actor.sign(access.scheduler());
        CancelMode mode = interrupt ? CancelMode.INTERRUPT : CancelMode.LET_RUN;
        jobs.confirm(scheduler, "cancel");
        String key = jobs.single();
        return key == null
                ? ActionAnswer.apply(out, scheduler, new JobAction.Cancel(mode), jobs.selection(), jobs.isDryRun())
                : one(scheduler, key, mode, out);
    }

    private int one(Scheduler scheduler, String key, CancelMode mode, Output out) {
        CancelResult result = scheduler.cancelJob(key, mode);
        if (result == CancelResult.NOT_FOUND) {
            throw new NotFoundException(
                    "no live job '" + key + "': it was never scheduled, has finished, or was cancelled");
        }
        if (out.isJson()) {
            out.json(Map.of("result", result.name()));
        } else {
            out.line(sentence(key, result));
        }
        return 0;
    }

    private String sentence(String key, CancelResult result) {
        if (result == CancelResult.CANCELED) {
            return "CANCELED: " + key + " will not fire again";
        }
        return "ALREADY_RUNNING: the current run of " + key
                + (interrupt ? " is being interrupted" : " continues to its end") + "; no later fire follows";
    }
}
