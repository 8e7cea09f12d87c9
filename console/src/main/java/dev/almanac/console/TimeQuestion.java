package dev.almanac.console;

import dev.almanac.web.json.Fields;
import dev.almanac.web.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * A question about time, which needs no database: asked once by the arguments of a command, or line by line of a batch.
 *
 * @param expected what a line of a batch needs
 * @param least how many fields are needed
 * @param reply throws InvalidFieldException if it cannot be answered
 */
record TimeQuestion(String expected, int least, Function<String[], Answer> reply) {
    private static final int LONGEST_LINE = 100_000;

    /**
     * An answer.
     *
     * @param text for people, of one or more lines
     * @param fields for programs
     * @param line of a batch
     */
    record Answer(String text, Fields fields, String line) {}

    /**
     * Answers the fields that were given, as a command does; absent ones are at the end, or were forgotten.
     *
     * @param needed what the arguments of the command need
     */
    int ask(CommandSpec command, String needed, boolean json, @Nullable String... given) {
        if (Arrays.stream(given).limit(least).anyMatch(Objects::isNull)) {
            throw new ParameterException(parsed(command).commandSpec().commandLine(), needed);
        }
        Answer answer = reply.apply(given);
        command.commandLine().getOut().println(json ? Json.text(answer.fields.map()) : answer.text);
        return 0;
    }

    private static ParseResult parsed(CommandSpec command) {
        ParseResult parsed = command.commandLine().getParseResult();
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        return parsed;
    }

    /**
     * Answers each tab-separated line of standard input with one line; an invalid line is answered by an error.
     *
     * @throws InvalidInputException if more is given than --batch, which has no use then
     */
    int batch(CommandSpec command) {
        ParseResult parsed = parsed(command);
        Stream.concat(
                        parsed.matchedOptions().stream()
                                .filter(option -> !option.inherited())
                                .map(OptionSpec::longestName),
                        parsed.matchedPositionals().stream().map(ArgSpec::paramLabel))
                .filter(given -> !given.equals("--batch"))
                .findFirst()
                .ifPresent(given -> {
                    throw new InvalidInputException(
                            "--batch reads its lines from standard input and answers in lines; leave out " + given);
                });
        PrintWriter out = command.commandLine().getOut();
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(
                        line.length() > LONGEST_LINE
                                ? "invalid\tline\t1\tis longer than " + LONGEST_LINE + " characters"
                                : line(line.split("\t", -1)));
            }
            out.flush();
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String line(String... fields) {
        try {
            if (fields.length < least) {
                throw new InvalidFieldException("line", 1, expected);
            }
            return reply.apply(fields).line;
        } catch (InvalidFieldException e) {
            return e.line();
        }
    }
}
