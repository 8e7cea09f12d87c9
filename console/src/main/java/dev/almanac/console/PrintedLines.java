package dev.almanac.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/** Reads what a program prints and passes it on line by line; a line of any length in pieces of 2 000 characters. */
final class PrintedLines implements Runnable {
    /** How long the rest of the output is read once the program and all of its group have ended. */
    static final Duration REST = Duration.ofSeconds(10);

    private static final int LONGEST_PIECE = 2_000;

    private final InputStream from;
    private final Consumer<String> print;
    private final Consumer<Throwable> failed;
    private volatile String last = "";

    /** @param failed is notified if reading has failed: a program whose output is not read would block */
    PrintedLines(InputStream from, Consumer<String> print, Consumer<Throwable> failed) {
        this.from = from;
        this.print = print;
        this.failed = failed;
    }

    /** The piece that was printed last; empty if none was. */
    String last() {
        return last;
    }

    @Override
    public void run() {
        try {
            read();
        } catch (Throwable e) {
            failed.accept(e);
        }
    }

    private void read() {
        StringBuilder piece = new StringBuilder();
        try (Reader reader = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                if (c != '\n') {
                    piece.append((char) c);
                }
                if (c == '\n' || piece.length() >= LONGEST_PIECE && !Character.isHighSurrogate((char) c)) {
                    print(piece);
                }
            }
        } catch (IOException closed) {
            // the program has ended; its output until then was printed
        }
        if (!piece.isEmpty()) {
            print(piece);
        }
    }

    private void print(StringBuilder piece) {
        int end = piece.length();
        last = piece.substring(0, end > 0 && piece.charAt(end - 1) == '\r' ? end - 1 : end);
        piece.setLength(0);
        print.accept(last);
    }
}
