package dev.almanac.engine.rules;

import dev.almanac.model.JobQuery;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one-offs of a backfill run in the order of their fires, also while one of them waits for its retry: a later one that
 * is claimed meanwhile is put behind it. Its group alone keeps them from overlapping only. Pure functions.
 */
public final class BackfillOrder {
    /** Marks the one-offs of a backfill; their keys are that of the job, {@code @} and the fire. Users may have it, too. */
    public static final String TAG = "backfill";

    /** If the earlier one has no time of its own, as one that is paused or that no node can run. */
    private static final Duration LOOKED_AGAIN = Duration.ofSeconds(10);

    /** Behind one that a user holds back: the tenth part of the time since that, within these bounds. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static final int PART = 10;
    private static final Duration BEHIND = Duration.ofMillis(1);
    private static final int MOST_SEEN = 100;

    private BackfillOrder() {}

    /** Whether it has a place in the order of a backfill: tag, key and moment say so, and not the tag alone. */
    private static boolean isInOrder(StoredJob job) {
        return job.specification().tags().contains(TAG) && backfill(job) != null;
    }

    /** Whether an earlier one is to be looked for before it runs; not if it has run already, or is to end. */
    public static boolean concerns(StoredJob job) {
        return isInOrder(job)
                && job.plan().nextFireTime() != null
                && !job.plan().isBegun()
                && job.sequences().abandoned() == 0
                && !job.requests().cancelRequested()
                && !job.isRunByHand();
    }

    /** Where the earlier ones are. */
    public static JobQuery earlier(StoredJob job) {
        Instant fire = Objects.requireNonNull(job.plan().nextFireTime());
        return new JobQuery(null, TAG, null, null, backfill(job), null, null, fire, null, MOST_SEEN);
    }

    /** Whether it runs a fire of a backfill, for the first time or by a rerun, which has a moment of its own. */
    public static boolean isBackfill(StoredJob job) {
        String key = job.key();
        return !job.specification().isRecurring()
                && job.specification().tags().contains(TAG)
                && isInstant(key.substring(key.lastIndexOf('@') + 1));
    }

    private static boolean isInstant(String text) {
        try {
            Instant.parse(text);
            return true;
        } catch (DateTimeException none) {
            return false;
        }
    }

    /** With what the keys of its backfill begin; absent if the key does not end with the moment of a one-off. */
    private static @Nullable String backfill(StoredJob job) {
        String key = job.key();
        return job.specification()
                .singleSchedule()
                .map(moment -> "@" + moment)
                .filter(key::endsWith)
                .map(end -> key.substring(0, key.length() - end.length() + 1))
                .orElse(null);
    }

    /**
     * The first of its backfill that is to end before it runs; empty if there is none.
     *
     * @param found the result of {@link #earlier}
     */
    public static Optional<StoredJob> first(StoredJob job, List<StoredJob> found) {
        return found.stream()
                .filter(other -> !other.id().equals(job.id()) && isInOrder(other))
                .filter(other -> Objects.equals(backfill(other), backfill(job)))
                .findFirst();
    }

    /** The claim is released until an earlier one has ended, or is tried again; empty if there is none. */
    public static Optional<JobChange> behind(StoredJob job, List<StoredJob> found, DecisionContext context) {
        return first(job, found).map(other -> {
            Instant start = other.plan().startTime();
            boolean waits = other.due() != null && start != null && start.isAfter(context.now());
            FirePlan plan = job.plan()
                    .startingAt(waits ? start.plus(BEHIND) : context.now().plus(wait(other, context.now())));
            return Transitions.releaseClaim(job, job.with(edit -> edit.plan(plan)), context);
        });
    }

    private static Duration wait(StoredJob other, Instant now) {
        boolean held =
                other.lease() == null && (other.due() == null || other.due().isAfter(now));
        Duration part = Duration.between(other.lastStatus().updatedTime(), now).dividedBy(PART);
        if (!held || part.compareTo(LOOKED_AGAIN) < 0) {
            return LOOKED_AGAIN;
        }
        return part.compareTo(LONGEST) < 0 ? part : LONGEST;
    }
}
