package dev.almanac.console.groups;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code almanac groups}. */
@Command(
        name = "groups",
        mixinStandardHelpOptions = true,
        description = "Works with sizes and rates of exclusive groups.",
        subcommands = {ListCommand.class, ShowCommand.class, PutCommand.class, RemoveCommand.class})
public final class GroupsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Made by the command line. */
    public GroupsCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "one of " + String.join(", ", spec.subcommands().keySet()) + " is expected");
    }
}
