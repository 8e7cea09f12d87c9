package dev.almanac.engine.insight;

import dev.almanac.engine.rules.RateDecider;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.Rate;
import dev.almanac.store.Lease;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Why a due job waits for its exclusive group (rule P9). Pure. */
final class GroupReasons {
    private GroupReasons() {}

    /**
     * At most one reason; slots come before the rate.
     *
     * @param margin for how long a slot is kept after the end of a lease
     */
    static List<Reason> of(ExplainerInput known, Duration margin) {
        ExplainerInput.GroupState state = known.group();
        if (state == null) {
            return List.of();
        }
        StoredGroup group = state.stored();
        // a single slot is explained by its holder, dead or not
        List<StoredJob> holders = state.holders().stream()
                .filter(job -> group.slots() == 1 ? job.lease() != null : job.keepsSlotAt(known.now(), margin))
                .toList();
        if (group.damage() != null) {
            return List.of(damaged(group));
        }
        if (group.slots() == 1 && holders.size() == 1) {
            return List.of(holder(known, group, holders.get(0), margin));
        }
        if (holders.size() >= group.slots()) {
            String text = "waits for a slot of group '" + group.name() + "': " + holders.size() + " of " + group.slots()
                    + " are held";
            return List.of(new Reason(
                    Kind.WAITING_FOR_GROUP, text, null, null, holders.get(0).key()));
        }
        return rate(known, group);
    }

    private static Reason damaged(StoredGroup group) {
        String text = "waits for its group '" + group.name() + "', whose document is damaged, so that nothing of it is"
                + " claimed: " + group.damage() + "; store it again: "
                + Printable.command("almanac groups put", group.name(), "--size N");
        return new Reason(Kind.WAITING_FOR_GROUP, text, null, null, null);
    }

    private static Reason holder(ExplainerInput known, StoredGroup group, StoredJob holder, Duration margin) {
        Lease lease = Objects.requireNonNull(holder.lease());
        String text = "waits for its group '" + group.name() + "', which job '" + holder.key() + "' holds on "
                + known.named(lease.owner());
        boolean runs = lease.until().isAfter(known.now());
        Instant free = holder.keepsSlotUntil(margin);
        String how = runs
                ? " until it ends there"
                : " whose lease ended at " + lease.until() + " without a recorded outcome; it is free from " + free
                        + " on";
        return new Reason(Kind.WAITING_FOR_GROUP, text + how, null, runs ? null : free, holder.key());
    }

    private static List<Reason> rate(ExplainerInput known, StoredGroup group) {
        Instant until = usedUpUntil(group, known.now());
        if (until == null) {
            return List.of();
        }
        String text = "waits, since the rate of group '" + group.name() + "', "
                + group.limits().rate() + ", is used up until " + until;
        return List.of(new Reason(Kind.WAITING_FOR_RATE, text, null, until, null));
    }

    private static @Nullable Instant usedUpUntil(StoredGroup group, Instant now) {
        Rate rate = group.limits().rate();
        return rate == null ? null : RateDecider.count(rate, group.use(), now).until();
    }

    /** Whether no job of a group of which so many slots are held is claimed now. */
    static boolean isClosed(StoredGroup group, long held, Instant now) {
        return held >= group.slots() || usedUpUntil(group, now) != null;
    }
}
