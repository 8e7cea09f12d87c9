package dev.almanac.model;

import dev.almanac.text.Printable;
import java.util.List;

/**
 * Some of many jobs were refused, or it is not known whether they are stored; all others are (rule S13). Schedule
 * again only what {@link #refused} names: a one-off of the others that has ended would run once more.
 */
public final class BulkScheduleException extends RuntimeException {
    private static final int LARGEST_NAMED = 3;

    private final transient List<BulkResult> results;

    /** @param results of every item, in order; at least one has an error */
    public BulkScheduleException(List<BulkResult> results) {
        super(text(results), refused(results).get(0).error());
        this.results = List.copyOf(results);
    }

    private static List<BulkResult> refused(List<BulkResult> results) {
        return results.stream().filter(result -> result.error() != null).toList();
    }

    private static String text(List<BulkResult> results) {
        List<BulkResult> refused = refused(results);
        StringBuilder text = new StringBuilder(refused.size() + " of " + results.size() + " jobs were not stored"
                + (refused.size() < results.size() ? ", the others were" : "") + ":");
        refused.stream()
                .limit(LARGEST_NAMED)
                .forEach(item -> text.append("\n  - ")
                        .append(Printable.value(item.key()))
                        .append(": ")
                        .append(item.error() == null ? "" : item.error().getMessage()));
        if (refused.size() > LARGEST_NAMED) {
            text.append("\n  - and ").append(refused.size() - LARGEST_NAMED).append(" more");
        }
        return text.toString();
    }

    /** The result of every item, in order. */
    public List<BulkResult> results() {
        return results;
    }

    /** The results of the items that were not stored, in order. */
    public List<BulkResult> refused() {
        return refused(results);
    }
}
