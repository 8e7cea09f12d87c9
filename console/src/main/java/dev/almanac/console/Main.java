package dev.almanac.console;

import dev.almanac.console.terminal.ProcessEnvironment;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The {@code almanac} command. Exit codes: 0 done, 1 found something wrong, 2 bad input. */
public final class Main {
    private Main() {}

    /** @param arguments as typed */
    public static void main(String[] arguments) {
        System.exit(run(ProcessEnvironment.ofProcess(), arguments));
    }

    static int run(String... arguments) {
        return run(ProcessEnvironment.ofProcess(), arguments);
    }

    static int run(ProcessEnvironment surroundings, String... arguments) {
        try {
            return line(surroundings).execute(arguments);
        } finally {
            surroundings.out().flush();
            surroundings.err().flush();
        }
    }

    static CommandLine line(ProcessEnvironment surroundings) {
        ErrorMessages complaints = new ErrorMessages(surroundings);
        return new CommandLine(new Almanac(), new CommandFactory(surroundings))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(Math.max(55, surroundings.width()))
                .setColorScheme(CommandLine.Help.defaultColorScheme(surroundings.colours() ? Ansi.ON : Ansi.OFF))
                .setOut(surroundings.out())
                .setErr(surroundings.err())
                .setParameterExceptionHandler(complaints::typed)
                .setExecutionExceptionHandler(complaints::failed);
    }
}
