package dev.almanac.console.jobs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code almanac jobs}. */
@Command(
        name = "jobs",
        mixinStandardHelpOptions = true,
        description = "Shows and changes jobs.",
        subcommands = {
            ListCommand.class,
            ShowCommand.class,
            HistoryCommand.class,
            ExplainCommand.class,
            PreviewCommand.class,
            ScheduleCommand.class,
            UpdateCommand.class,
            RerunCommand.class,
            CancelCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            PausesCommand.class,
            RunNowCommand.class,
            RemoveCommand.class,
            ReleaseCommand.class
        })
public final class JobsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public JobsCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "one of " + String.join(", ", spec.subcommands().keySet()) + " is expected");
    }
}
