package dev.almanac.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What all nodes together have run within a span, as their minutes report it.
 *
 * @param slices those in which something happened, in no particular order
 * @param cut from when on nothing was read, since there are too many reports; absent = all were read
 */
public record RunCounts(List<Slice> slices, @Nullable Instant cut) {
    /** Copies the list. */
    public RunCounts {
        slices = List.copyOf(slices);
    }

    /**
     * One command type within one slice.
     *
     * @param type registered name of the command
     * @param start where the slice begins
     * @param outcomes how many status rows of runs were written, by outcome
     * @param failed how many of these rows record that a fire failed for good
     * @param late how many tries began later than the threshold of their job allows
     * @param missed how many planned fires were found to have passed without a run
     * @param tooLate how many of those, since their start deadline was over
     */
    public record Slice(
            String type, Instant start, Map<String, Long> outcomes, long failed, long late, long missed, long tooLate) {
        /** Copies the outcomes. */
        public Slice {
            outcomes = Map.copyOf(outcomes);
        }
    }
}
