package dev.almanac.console.time;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Reads tab-separated lines and answers each with one line, in order; an invalid line is answered by an error. */
final class Batch {
    private static final int LONGEST_LINE = 100_000;

    private Batch() {}

    static int run(PrintWriter out, Function<String[], String> answer) {
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(
                        line.length() > LONGEST_LINE
                                ? "invalid\tline\t1\tis longer than " + LONGEST_LINE + " characters"
                                : answer.apply(line.split("\t", -1)));
            }
            out.flush();
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
