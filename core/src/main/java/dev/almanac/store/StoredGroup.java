package dev.almanac.store;

import dev.almanac.model.GroupLimits;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An exclusive group of which a size or a rate is stored; it may be edited while nodes run.
 *
 * @param name the name that jobs use as their {@code exclusiveGroup}
 * @param version 1 for a new one, one more with each edit; also when it is removed, and when it is stored again after
 *     that
 * @param limits its size and rate
 * @param latestUpdate when this version was stored, by the server's clock
 * @param author who stored this version, and why
 * @param use the claims that were counted against its rate
 * @param deleted whether it is only remembered, so that its versions go on rising
 * @param damage why its document cannot be read; then none of its jobs is claimed until it is stored again. Absent = it
 *     can
 */
public record StoredGroup(
        String name,
        long version,
        GroupLimits limits,
        Instant latestUpdate,
        String author,
        RateUse use,
        boolean deleted,
        @Nullable String damage) {
    /** How long the tombstone of a removed group is kept: longer than a claim can count against a rate. */
    public static final Duration REMEMBERED = Duration.ofDays(35);

    /** One that is there. */
    public StoredGroup(String name, long version, GroupLimits limits, Instant latestUpdate, String author) {
        this(name, version, limits, latestUpdate, author, RateUse.NONE, false, null);
    }

    /** A group without stored limits. */
    public static StoredGroup unlisted(String name) {
        return new StoredGroup(name, 0, GroupLimits.ONE, Instant.EPOCH, "");
    }

    /** The same with other claims counted. */
    public StoredGroup with(RateUse counted) {
        return new StoredGroup(name, version, limits, latestUpdate, author, counted, deleted, damage);
    }

    /** The tombstone that is stored when it is removed. */
    public StoredGroup tombstone(Instant at, String by) {
        return new StoredGroup(name, version + 1, GroupLimits.ONE, at, by, use, true, null);
    }

    /** How many slots it has; none if it is damaged. */
    public int slots() {
        return damage == null ? limits.size() : 0;
    }

    /**
     * Whether the job has a lease with one of its slots. After an edit to a smaller size, members may have slots beyond it,
     * which keep no other job waiting.
     */
    public boolean isHeldBy(StoredJob job) {
        String slot = job.lease() == null ? null : job.lease().slot();
        return slot != null && GroupSlots.isOf(name, slot) && GroupSlots.number(slot) < slots();
    }
}
