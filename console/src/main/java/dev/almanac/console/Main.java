package dev.almanac.console;

import picocli.CommandLine;

/** The {@code almanac} command. Exit codes: 0 done, 1 found something wrong, 2 bad input. */
public final class Main {
    private Main() {}

    /** @param arguments as typed */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        return new CommandLine(new Almanac())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((error, line, parsed) -> {
                    line.getErr().println("almanac: " + error.getMessage());
                    return error instanceof IllegalArgumentException ? 2 : 1;
                })
                .execute(arguments);
    }
}
