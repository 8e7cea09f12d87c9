package dev.almanac.console;

import dev.almanac.console.calendars.CalendarsCommand;
import dev.almanac.console.declare.ReconcileCommand;
import dev.almanac.console.declare.RunCommand;
import dev.almanac.console.groups.GroupsCommand;
import dev.almanac.console.jobs.JobsCommand;
import dev.almanac.console.operate.DoctorCommand;
import dev.almanac.console.operate.HealthCommand;
import dev.almanac.console.operate.IndexesCommand;
import dev.almanac.console.operate.LatenessCommand;
import dev.almanac.console.operate.NodesCommand;
import dev.almanac.console.time.BusinessDaysCommand;
import dev.almanac.console.time.CronCommand;
import dev.almanac.console.web.WebCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command; every command of the product is registered here. */
@Command(
        name = "almanac",
        mixinStandardHelpOptions = true,
        version = "almanac 0.1.0",
        description = "A persistent job scheduler for Java services on MongoDB.",
        footer = {
            "",
            "Exit codes: 0 done, 1 a problem was found or something could not be done, 2 wrong input, 3 not found.",
            "Commands that need a database take --uri, or ALMANAC_URI of the environment.",
            "./almanac demo runs a day of payments; it is one of the examples."
        },
        subcommands = {
            JobsCommand.class,
            CronCommand.class,
            CalendarsCommand.class,
            GroupsCommand.class,
            BusinessDaysCommand.class,
            RunCommand.class,
            ReconcileCommand.class,
            NodesCommand.class,
            LatenessCommand.class,
            HealthCommand.class,
            DoctorCommand.class,
            IndexesCommand.class,
            WebCommand.class,
            CompletionCommand.class
        })
final class Almanac implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "show the stack trace of an error")
    private boolean verbose;

    boolean isVerbose() {
        return verbose;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is expected");
    }
}
