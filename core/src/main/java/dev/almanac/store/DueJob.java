package dev.almanac.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that is due now or soon, with the fields that claiming needs.
 *
 * @param id of the specification document
 * @param due when it may be claimed
 * @param priority 0 (most urgent) to 7
 * @param partition its claim partition
 * @param type registered name of the command that its phase runs
 * @param group its exclusive group; absent if it has none
 * @param slot the slot of a group that its document still has from a claim whose lease is over; absent for most
 */
public record DueJob(
        String id,
        Instant due,
        int priority,
        int partition,
        String type,
        @Nullable String group,
        @Nullable String slot) {
    /** Jobs of a priority below this one are urgent: they do not wait behind a backlog (rule R9). */
    public static final int FIRST_NOT_URGENT = 4;

    /** One that holds no slot of a group. */
    public DueJob(String id, Instant due, int priority, int partition, String type, @Nullable String group) {
        this(id, due, priority, partition, type, group, null);
    }

    /** Whether the priority is urgent. */
    public boolean isUrgent() {
        return priority < FIRST_NOT_URGENT;
    }

    /** The same in another partition. */
    public DueJob in(int other) {
        return new DueJob(id, due, priority, other, type, group, slot);
    }
}
