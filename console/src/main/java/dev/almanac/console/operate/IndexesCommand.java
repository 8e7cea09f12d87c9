package dev.almanac.console.operate;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code almanac indexes}. */
@Command(
        name = "indexes",
        mixinStandardHelpOptions = true,
        description = "Creates or verifies the indexes.",
        subcommands = {IndexesCreateCommand.class, IndexesVerifyCommand.class})
public final class IndexesCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public IndexesCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "create or verify is expected");
    }
}
