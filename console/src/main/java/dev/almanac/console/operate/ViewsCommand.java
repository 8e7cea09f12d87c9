package dev.almanac.console.operate;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code almanac views}. */
@Command(
        name = "views",
        mixinStandardHelpOptions = true,
        description = "Creates or drops the read-only views for the Mongo shell.",
        subcommands = {ViewsCreateCommand.class, ViewsDropCommand.class})
public final class ViewsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public ViewsCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "create or drop is expected");
    }
}
