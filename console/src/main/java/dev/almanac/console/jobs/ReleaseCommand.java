package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.terminal.Output;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code almanac jobs release}. */
@Command(
        name = "release",
        mixinStandardHelpOptions = true,
        description = {
            "Removes the current claim of a job, and with it its place in an exclusive group: for a run whose code has ended",
            "without its node having noticed. The run counts as abandoned; the crash policy says whether it runs again."
        })
final class ReleaseCommand extends SingleJobCommand {
    @Option(
            names = "--force",
            required = true,
            description = "required: confirms that the code of the run has ended, or does no harm if it continues")
    private boolean force;

    @Mixin
    private ActorOptions actor;

    @Override
    protected int answer(StoreAccess access, Output out) {
        Scheduler scheduler = actor.sign(access.scheduler());
        return ActionAnswer.apply(out, scheduler, JobAction.release(), JobSelection.keys(key()), false);
    }
}
