package dev.almanac.console;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root command. */
@Command(
        name = "almanac",
        version = "almanac 0.1.0",
        description = "A persistent job scheduler for Java services on MongoDB.",
        footer = {
            "",
            "Exit codes: 0 done, 1 a problem was found or something could not be done, 2 wrong input, 3 not found.",
            "Commands that need a database take --uri, or ALMANAC_URI of the environment.",
            "./almanac demo runs a day of payments; it is one of the examples."
        })
final class Almanac {
    @Spec
    private CommandSpec spec;

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "show the stack trace of an error")
    private boolean verbose;

    boolean isVerbose() {
        return verbose;
    }

    /** The shells for which there is a completion script; zsh reads bash's. */
    enum Shell {
        /** For both. */
        BASH,
        /** After {@code autoload -U bashcompinit && bashcompinit}. */
        ZSH
    }

    @Command(
            name = "completion",
            description = "Prints a script that completes commands: source <(almanac completion bash)")
    int completion(@Parameters(paramLabel = "SHELL", description = "bash or zsh") Shell shell) {
        CommandLine root = spec.commandLine();
        root.getOut().print(AutoComplete.bash(root.getCommandName(), root));
        return 0;
    }
}
