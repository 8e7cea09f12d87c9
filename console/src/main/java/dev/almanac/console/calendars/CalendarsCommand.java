package dev.almanac.console.calendars;

import dev.almanac.console.time.CalendarCheckCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code almanac calendars}. */
@Command(
        name = "calendars",
        mixinStandardHelpOptions = true,
        description = "Works with exclusion calendars.",
        subcommands = {
            ListCommand.class,
            ShowCommand.class,
            PutCommand.class,
            ImportCommand.class,
            DeleteCommand.class,
            CalendarCheckCommand.class
        })
public final class CalendarsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public CalendarsCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "one of " + String.join(", ", spec.subcommands().keySet()) + " is expected");
    }
}
