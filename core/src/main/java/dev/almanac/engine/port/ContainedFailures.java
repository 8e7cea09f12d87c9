package dev.almanac.engine.port;

import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failures that must not hurt the engine: of the service's listeners, of {@code supports} of its helpers, of its
 * calendars, and of a rehydration that is done again. Each kind is logged once and counted. Thread-safe.
 */
public final class ContainedFailures {
    private static final Logger LOG = LoggerFactory.getLogger(ContainedFailures.class);

    private final TimeSource time;
    private final Map<String, Seen> kinds = new ConcurrentHashMap<>();

    private record Seen(long count, long lastNanos) {}

    ContainedFailures(TimeSource time) {
        this.time = time;
    }

    /** The class name of an object, without the address in the name of a lambda. */
    static String name(Object of) {
        String name = of.getClass().getName();
        int address = name.indexOf('/');
        return address < 0 ? name : name.substring(0, address);
    }

    /** @param what the code and its operation: the kind of the failure */
    public void add(String what, Throwable error) {
        Seen seen = kinds.merge(
                what, new Seen(1, time.nanos()), (before, one) -> new Seen(before.count() + 1, one.lastNanos()));
        if (seen.count() == 1) {
            log(what, error);
        }
    }

    /** Does a step; what it throws is a failure of this kind, and ends nothing else. */
    public void contain(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            add(what, e);
        }
    }

    /** An exception of the service may fail itself while it is logged. */
    private static void log(String what, Throwable error) {
        String text =
                "{} has failed; the node continues. This is logged once; further failures of this kind are counted in health()";
        try {
            LOG.warn(text, what, error);
        } catch (RuntimeException | Error e) {
            LOG.warn(text, what + " (" + error.getClass().getName() + ")");
        }
    }

    /** Every kind so far, by name. */
    public List<ContainedFailure> all() {
        long now = time.nanos();
        return kinds.entrySet().stream()
                .map(kind -> new ContainedFailure(
                        kind.getKey(),
                        kind.getValue().count(),
                        Duration.ofNanos(now - kind.getValue().lastNanos())))
                .sorted(Comparator.comparing(ContainedFailure::what))
                .toList();
    }
}
