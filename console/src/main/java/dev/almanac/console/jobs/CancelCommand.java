package dev.almanac.console.jobs;

import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.WrongInput;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code almanac jobs cancel}. */
@Command(name = "cancel", mixinStandardHelpOptions = true, description = "Cancels a job: it does not fire again.")
final class CancelCommand extends OneJob {
    @Mixin
    private ActorOptions actor;

    @Option(names = "--interrupt", description = "also interrupt a run in progress, on whichever node it is")
    private boolean interrupt;

    @Override
    protected int answer(StoreAccess access, Output out) {
        CancelMode mode = interrupt ? CancelMode.INTERRUPT : CancelMode.LET_RUN;
        CancelResult result = actor.sign(access.scheduler()).cancelJob(key(), mode);
        if (result == CancelResult.NOT_FOUND) {
            throw new WrongInput("no live job '" + key() + "': it was never scheduled, has finished, or was cancelled");
        }
        if (out.isJson()) {
            out.json(Map.of("result", result.name()));
        } else {
            out.line(sentence(result));
        }
        return 0;
    }

    private String sentence(CancelResult result) {
        if (result == CancelResult.CANCELED) {
            return "CANCELED: " + key() + " will not fire again";
        }
        return "ALREADY_RUNNING: the present run of " + key()
                + (interrupt ? " is being interrupted" : " goes on to its end") + "; no later fire follows";
    }
}
