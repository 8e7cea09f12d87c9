package dev.almanac.console;

import dev.almanac.console.demo.Demo;
import dev.almanac.console.operate.IndexesCommand;
import dev.almanac.console.time.BusinessDaysCommand;
import dev.almanac.console.time.CalendarsCommand;
import dev.almanac.console.time.CronCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root command; every command of the product is registered here. */
@Command(
        name = "almanac",
        mixinStandardHelpOptions = true,
        version = "almanac 0.1.0",
        description = "A persistent job scheduler for Java services on MongoDB.",
        subcommands = {
            Demo.class,
            CronCommand.class,
            CalendarsCommand.class,
            BusinessDaysCommand.class,
            IndexesCommand.class
        })
final class Almanac implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is expected");
    }
}
