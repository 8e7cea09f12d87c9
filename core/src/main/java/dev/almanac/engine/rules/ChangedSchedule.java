package dev.almanac.engine.rules;

import dev.almanac.store.FirePlan;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredJob;
import dev.almanac.time.PlannedFire;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plans jobs whose schedule or calendars were changed while they were claimed (rules M3, P7, C5). Pure functions. */
final class ChangedSchedule {
    private final FirePlanner planner;

    ChangedSchedule(FirePlanner planner) {
        this.planner = planner;
    }

    /**
     * The job planned by the schedule that it was given under the lease, as an update without a lease does: from the
     * change on, with all attempts. Empty if there was no change, or no fire follows it, or a failure command is to be
     * delivered first.
     *
     * @param ended the fire that was run under the lease, which must not be planned again; absent = none
     */
    Optional<StoredJob> replanned(StoredJob job, @Nullable Instant ended) {
        if (job.requests().scheduleChanged() == null || job.phase() != Phase.RUN) {
            return Optional.empty();
        }
        return plan(job, job.plan(), ended)
                .map(plan -> job.with(edit -> edit.plan(plan)
                        .blocked(
                                plan.nextFireTime() == null
                                        ? Transitions.reasonWithoutFire(job.specification())
                                        : job.blocked())
                        .requests(job.requests().withScheduleChanged(null))
                        .sequences(
                                job.plan().isBegun() || ended != null
                                        ? job.sequences().plusFires(1)
                                        : job.sequences())));
    }

    /**
     * The job after a manual run, which leaves its fire unless the schedule or a calendar was changed meanwhile: an edit
     * passes over leased jobs. One that is left without a fire is blocked, also if a user has unblocked it meanwhile.
     */
    StoredJob afterManual(StoredJob job) {
        StoredJob planned = replanned(job, null).or(() -> edited(job)).orElse(job);
        return planned.plan().startTime() != null || planned.blocked() != null
                ? planned
                : planned.with(edit -> edit.blocked(Transitions.reasonWithoutFire(job.specification())));
    }

    private Optional<StoredJob> edited(StoredJob job) {
        boolean waits = job.phase() == Phase.RUN
                && job.requests().scheduleChanged() == null
                && !job.plan().isBegun()
                && !job.plan().rerun();
        return waits ? EditedCalendars.replanned(job, planner) : Optional.empty();
    }

    /**
     * Whether the fire is still to be run. A single moment was accepted when it was given and may have passed by now;
     * it is only not run twice.
     */
    private static boolean isOpen(StoredJob job, Instant fire, @Nullable Instant ended, Instant after) {
        return job.specification().isRecurring() ? fire.isAfter(after) : !fire.equals(ended);
    }

    /** The plan of the first fire after the change and after {@code ended}; empty if none follows. */
    Optional<FirePlan> plan(StoredJob job, FirePlan before, @Nullable Instant ended) {
        Instant changed = Objects.requireNonNull(job.requests().scheduleChanged());
        Instant after = ended != null && ended.isAfter(changed) ? ended : changed;
        Optional<PlannedFire> first = planner.first(job.specification(), after);
        if (first.isEmpty() && !job.specification().isRecurring()) {
            // its calendars were edited since it was given: blocked until they are edited again
            return Optional.of(FirePlanner.planFrom(job.specification(), before, first, after));
        }
        return first.filter(fire -> isOpen(job, fire.fireTime(), ended, after))
                .map(fire -> FirePlanner.planFrom(job.specification(), before, Optional.of(fire), after));
    }
}
