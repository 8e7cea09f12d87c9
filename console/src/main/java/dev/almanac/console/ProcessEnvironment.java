package dev.almanac.console;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment of the process in which a command runs.
 *
 * @param out standard output
 * @param err standard error
 * @param environment the variables of the environment
 * @param terminal whether a person reads {@code out}
 * @param answers where a person answers questions; absent = no person is there to ask
 */
record ProcessEnvironment(
        PrintWriter out,
        PrintWriter err,
        Map<String, String> environment,
        boolean terminal,
        @Nullable BufferedReader answers) {
    private static final int DEFAULT_WIDTH = 80;
    private static final int LEAST_WIDTH = 20;
    private static final int LARGEST_WIDTH = 1_000;

    /** An environment without a person to ask. */
    ProcessEnvironment(PrintWriter out, PrintWriter err, Map<String, String> environment, boolean terminal) {
        this(out, err, environment, terminal, null);
    }

    /** Those of this process. The start script passes whether there is a terminal to read from, and one to write to. */
    static ProcessEnvironment ofProcess() {
        return new ProcessEnvironment(
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                System.getenv(),
                Boolean.getBoolean("almanac.terminal"),
                Boolean.getBoolean("almanac.answers")
                        ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                        : null);
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        // independent of the locale: keys and messages may hold any character
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), false);
    }

    /** Characters in a line: COLUMNS, or 80. */
    int width() {
        String columns = environment.getOrDefault("COLUMNS", "").strip();
        if (!columns.matches("[0-9]{1,4}")) {
            return DEFAULT_WIDTH;
        }
        return Math.max(LEAST_WIDTH, Math.min(LARGEST_WIDTH, Integer.parseInt(columns)));
    }

    /** Colours only for people, and not for those who set NO_COLOR. */
    boolean colours() {
        return terminal && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }
}
