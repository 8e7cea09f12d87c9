package dev.almanac.store;

import java.time.Instant;
import java.util.List;

/**
 * How many jobs may be claimed within a span.
 *
 * @param slices those with jobs, in no particular order
 * @param oneOf 1 if every partition was counted; otherwise one of this many was, and its counts were multiplied
 * @param more whether counting ended at its limit, so that there are at least so many
 */
public record DueCounts(List<Slice> slices, int oneOf, boolean more) {
    /** Copies the list. */
    public DueCounts {
        slices = List.copyOf(slices);
    }

    /** The jobs of all slices together. */
    public long jobs() {
        return slices.stream().mapToLong(Slice::jobs).sum();
    }

    /**
     * The jobs of one type within one slice.
     *
     * @param type registered name of the command
     * @param start where the slice begins
     * @param jobs how many
     * @param earliest the first of those that were counted
     */
    public record Slice(String type, Instant start, long jobs, Instant earliest) {}
}
