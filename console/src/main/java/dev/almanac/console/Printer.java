package dev.almanac.console;

import dev.almanac.helper.Execution;
import dev.almanac.web.json.Fields;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Prints lines of runs and of the node. Thread-safe. */
final class Printer {
    private final Output out;

    Printer(Output out) {
        this.out = out;
    }

    /** A line of a run. */
    synchronized void run(Execution run, @Nullable String text) {
        Fields fields = new Fields()
                .with("key", run.jobSpecificationKey())
                .with("id", run.identifier())
                .with("fireTime", run.fireTime())
                .with("attempt", run.attempt())
                .with("late", run.late())
                .with("text", text == null ? "" : text);
        String attempt = run.attempt() > 1 ? " (attempt " + run.attempt() + ")" : "";
        out.answer(
                fields,
                Times.at(run.fireTime(), ZoneOffset.UTC) + " UTC  " + run.jobSpecificationKey() + "  "
                        + (text == null ? run.identifier() : text) + (run.late() ? " (late)" : "") + attempt);
        out.out().flush();
    }

    /** A line of the node; left out for programs. */
    synchronized void node(String text) {
        if (!out.isJson()) {
            out.line(text);
            out.out().flush();
        }
    }
}
