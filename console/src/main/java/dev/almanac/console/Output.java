package dev.almanac.console;

import dev.almanac.helper.Execution;
import dev.almanac.text.Printable;
import dev.almanac.web.json.Fields;
import dev.almanac.web.json.Json;
import java.io.PrintWriter;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * How a command answers: for people by default, with --json for programs. A mixin of commands. Thread-safe for the lines of
 * runs and of the node only.
 */
final class Output {
    private static final int LABEL = 14;
    private static final long SILENCE_NANOS = 1_000_000_000;
    private final ProcessEnvironment process;
    private long reported = System.nanoTime();

    @Option(names = "--json", description = "answer with one line of JSON")
    private boolean json;

    @Option(names = "--wide", description = "shorten nothing in tables, however long their lines become")
    private boolean wide;

    Output(ProcessEnvironment process) {
        this.process = process;
    }

    /** Whether a program reads the answer. */
    boolean isJson() {
        return json;
    }

    PrintWriter out() {
        return process.out();
    }

    /** Prints a message of one or more lines on standard error. */
    void message(String text) {
        process.err().println(Printable.lines(text));
        process.err().flush();
    }

    /** Prints the progress of long work on standard error, for a terminal only and at most once a second. */
    void progress(Supplier<String> text) {
        if (process.terminal() && System.nanoTime() - reported > SILENCE_NANOS) {
            message(TextLayout.sentence(text.get()));
            reported = System.nanoTime();
        }
    }

    /**
     * Reads for an answer page by page, until the last one or until nobody reads the answer any more, as behind {@code head}.
     * For commands that change nothing: what is to be changed does not depend on who reads the answer.
     *
     * @param read reads and prints a page; gives the question of the next one, absent = it was the last
     */
    <T> void pages(T first, Function<T, @Nullable T> read) {
        T next = first;
        do {
            next = read.apply(next);
        } while (next != null && !out().checkError());
    }

    /** An answer: fields for programs, a sentence for people. */
    void answer(Fields fields, String sentence) {
        answer(fields, people -> people.line(sentence));
    }

    /** An answer: fields for programs; for people what is printed. */
    void answer(Fields fields, Consumer<Output> people) {
        if (json) {
            out().println(Json.text(fields.map()));
        } else {
            people.accept(this);
        }
    }

    /**
     * A complete list: item by item for programs, as a table for people.
     *
     * @param name of the list in JSON
     * @param none the text for an empty list
     */
    <T> void list(String name, List<T> items, Function<T, Fields> fields, String none, Columns<T> columns) {
        if (json) {
            try (Json.Listing listing = listing(name)) {
                items.forEach(item -> listing.item(fields.apply(item)));
                listing.end(new Fields());
            }
        } else if (items.isEmpty()) {
            line(none);
        } else {
            table(columns, items);
        }
    }

    /** A list for programs, written item by item. */
    Json.Listing listing(String name) {
        return new Json.Listing(out(), name);
    }

    <T> void table(Columns<T> columns, List<T> items) {
        columns.print(process, wide, items);
    }

    void line(String text) {
        out().println(TextLayout.sentence(text));
    }

    void head(String text) {
        out().println(Color.BOLD.on(TextLayout.sentence(text), process.colours()));
    }

    void state(String word) {
        out().println(Color.ofWord(word).on(word, process.colours()));
    }

    /** Prints a labelled value; nothing if it is absent. */
    void value(String label, @Nullable Object value) {
        if (value != null) {
            String text = TextLayout.value(value.toString());
            String tinted = Color.ofWord(text).on(text, process.colours());
            out().println("  " + TextLayout.padded(label + " ", LABEL) + tinted);
        }
    }

    /** A line of a run, which programs get as an object; runs end on several threads. */
    synchronized void run(Execution run, @Nullable String text) {
        Fields fields = new Fields()
                .with("key", run.jobSpecificationKey())
                .with("id", run.identifier())
                .with("fireTime", run.fireTime())
                .with("attempt", run.attempt())
                .with("late", run.late())
                .with("text", text == null ? "" : text);
        String attempt = run.attempt() > 1 ? " (attempt " + run.attempt() + ")" : "";
        answer(
                fields,
                Times.at(run.fireTime(), ZoneOffset.UTC) + " UTC  " + run.jobSpecificationKey() + "  "
                        + (text == null ? run.identifier() : text) + (run.late() ? " (late)" : "") + attempt);
        out().flush();
    }

    /** A line of the node that runs them; left out for programs. */
    synchronized void node(String text) {
        if (!json) {
            line(text);
            out().flush();
        }
    }
}
