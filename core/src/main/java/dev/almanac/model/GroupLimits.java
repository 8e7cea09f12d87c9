package dev.almanac.model;

import org.jspecify.annotations.Nullable;

/**
 * The limits of an exclusive group, in the whole cluster.
 *
 * @param size how many of them may run at a time, 1 to 1 000
 * @param rate how many of them may be claimed within a period; absent = any number
 */
public record GroupLimits(int size, @Nullable Rate rate) {
    /** The limits of a group without stored ones: one job at a time. */
    public static final GroupLimits ONE = new GroupLimits(1, null);

    private static final int LARGEST = 1_000;

    /** @throws IllegalArgumentException if the size is out of range */
    public GroupLimits {
        if (size < 1 || size > LARGEST) {
            throw new IllegalArgumentException("the size " + size + " of a group is not within 1 to " + LARGEST);
        }
    }

    @Override
    public String toString() {
        return "size " + size + (rate == null ? "" : ", rate " + rate);
    }
}
