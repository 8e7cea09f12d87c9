package dev.almanac.console.terminal;

import dev.almanac.text.Printable;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command answers: for people by default, with --json for programs. A mixin of commands. */
public final class Output {
    private static final int LABEL = 14;

    private final ProcessEnvironment process;

    @Option(names = "--json", description = "answer with one line of JSON")
    private boolean json;

    @Option(names = "--wide", description = "shorten nothing in tables, however long their lines become")
    private boolean wide;

    /** The process around the command. */
    public Output(ProcessEnvironment process) {
        this.process = process;
    }

    /** Whether a program reads the answer. */
    public boolean isJson() {
        return json;
    }

    /** Where answers go. */
    public PrintWriter out() {
        return process.out();
    }

    /** Prints a message of one or more lines on standard error. */
    public void message(String text) {
        process.err().println(Printable.lines(text));
        process.err().flush();
    }

    /** A sentence. */
    public void line(String text) {
        out().println(TextLayout.sentence(text));
    }

    /** Prints the progress of long work on standard error, for a terminal only. */
    public void progress(String text) {
        if (process.terminal()) {
            message(TextLayout.sentence(text));
        }
    }

    /** A head over what follows. */
    public void head(String text) {
        out().println(Color.BOLD.on(TextLayout.sentence(text), process.colours()));
    }

    /** Prints a state. */
    public void state(String word) {
        out().println(Color.ofWord(word).on(word, process.colours()));
    }

    /** Prints a labelled value; nothing if it is absent. */
    public void value(String label, @Nullable Object value) {
        if (value != null) {
            String text = TextLayout.value(value.toString());
            String tinted = Color.ofWord(text).on(text, process.colours());
            out().println("  " + TextLayout.padded(label + " ", LABEL) + tinted);
        }
    }

    /** An answer for programs. */
    public void json(Map<String, Object> answer) {
        out().println(Json.text(answer));
    }

    /** A list for programs, written item by item. */
    public Json.Listing listing(String name) {
        return new Json.Listing(out(), name);
    }

    /**
     * Prints a complete list: item by item for programs, as a table for people.
     *
     * @param name of the list in JSON
     * @param none the text for an empty list
     */
    public <T> void list(
            String name, List<T> items, Function<T, Map<String, Object>> json, String none, Runnable table) {
        if (isJson()) {
            try (Json.Listing listing = listing(name)) {
                items.forEach(item -> listing.item(json.apply(item)));
                listing.end(Map.of());
            }
        } else if (items.isEmpty()) {
            line(none);
        } else {
            table.run();
        }
    }

    /** A table for people. */
    public Table table() {
        return new Table(process, wide);
    }
}
