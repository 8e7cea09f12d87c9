package dev.almanac.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The right to run a job, for a limited time.
 *
 * @param owner the node, by its identity per process start
 * @param token random 64 bits, new for each claim; every write of the holder carries it
 * @param until when it ends, by the server's clock
 * @param slot the slot of an exclusive group that the document takes with it, as {@link GroupSlots} names it; absent if
 *     it holds none
 */
public record Lease(
        String owner, long token, Instant until, @Nullable String slot) {
    /** One that holds no slot of a group. */
    public Lease(String owner, long token, Instant until) {
        this(owner, token, until, null);
    }

    /** The same until another moment. */
    public Lease until(Instant end) {
        return new Lease(owner, token, end, slot);
    }

    /** The same with a slot of a group, or without. */
    public Lease in(@Nullable String held) {
        return new Lease(owner, token, until, held);
    }
}
