package dev.almanac.console.declare;

import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.helper.Execution;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints lines of runs and of the node. Thread-safe. */
final class Printer {
    private final Output out;

    Printer(Output out) {
        this.out = out;
    }

    /** A line of a run. */
    synchronized void run(Execution run, String id, @Nullable String text) {
        if (out.isJson()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("key", run.jobSpecificationKey());
            line.put("id", id);
            line.put("fireTime", run.fireTime().toString());
            line.put("attempt", run.attempt());
            line.put("late", run.late());
            line.put("text", text == null ? "" : text);
            out.json(line);
        } else {
            String attempt = run.attempt() > 1 ? " (attempt " + run.attempt() + ")" : "";
            out.line(Times.at(run.fireTime(), ZoneOffset.UTC) + " UTC  " + run.jobSpecificationKey() + "  "
                    + (text == null ? id : text) + (run.late() ? " (late)" : "") + attempt);
        }
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
