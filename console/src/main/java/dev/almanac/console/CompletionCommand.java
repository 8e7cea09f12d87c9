package dev.almanac.console;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code almanac completion}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a script that completes commands: source <(almanac completion bash)")
final class CompletionCommand implements Callable<Integer> {
    /** The shells for which there is a script; zsh reads bash's. */
    enum Shell {
        /** For both. */
        BASH,
        /** After {@code autoload -U bashcompinit && bashcompinit}. */
        ZSH
    }

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SHELL", description = "bash or zsh")
    private Shell shell;

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        spec.commandLine().getOut().print(AutoComplete.bash(root.getCommandName(), root));
        return 0;
    }
}
