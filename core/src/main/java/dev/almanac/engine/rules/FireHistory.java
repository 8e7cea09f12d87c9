package dev.almanac.engine.rules;

import dev.almanac.model.Actor;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.store.FirePlan;
import dev.almanac.store.NewJob;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a job tell of the fire that is run (rule S6). Pure functions.
 *
 * @param abandoned how many claims of this fire, or of this manual run, were abandoned
 * @param missed the fires that have passed without a run since the one before; absent = none
 * @param asked who has requested the run; absent if it was planned
 */
public record FireHistory(
        int abandoned,
        @Nullable MissedFires missed,
        @Nullable Actor asked) {
    /**
     * Whether the newest row, which the document shows, is older than this fire, and tells of no missed ones. Behind a fire that a
     * change has carried may be those that the change has found missed during the run before.
     */
    public static boolean isEmpty(StoredJob job) {
        JobExecutionStatus last = job.lastStatus();
        return NewJob.isCreation(last)
                || last.missed() == null
                        && last.fireSeq() < job.sequences().fireSeq()
                        && job.plan().carried() == null;
    }

    /**
     * @param stored the rows of the job, newest first; that of the document may be missing, as its writer may have died
     * @param manualFire when a user asked for the run; absent if it was planned
     */
    public static FireHistory of(StoredJob job, List<JobExecutionStatus> stored, @Nullable Instant manualFire) {
        List<JobExecutionStatus> rows = new ArrayList<>(stored);
        if (rows.stream().noneMatch(row -> row.id().equals(job.lastStatus().id()))) {
            rows.add(0, job.lastStatus());
        }
        long fire = job.sequences().fireSeq();
        long abandoned = rows.stream()
                .filter(row -> row.outcome() == Outcome.ABANDONED && row.manual() == (manualFire != null))
                .filter(row -> manualFire == null ? row.fireSeq() == fire : manualFire.equals(row.fireTime()))
                .count();
        return new FireHistory(
                (int) abandoned, missed(rows, fire), manualFire == null ? null : asked(rows, manualFire));
    }

    /**
     * The rows of missed fires that lead up to the fire, however many claims have found them; excluded fires between count for
     * nothing. A row has the number of the first of its fires. That of a change has the number of the fire in progress, if there
     * is one: its fires have no numbers, and lead up to the fire behind that.
     */
    private static @Nullable MissedFires missed(List<JobExecutionStatus> rows, long fire) {
        MissedFires all = null;
        long next = fire;
        for (JobExecutionStatus row : rows) {
            MissedFires some = row.missed();
            if (some != null && isBehind(row, some)) {
                boolean passed = row.fireSeq() == next && next < fire;
                all = passed || row.fireSeq() + 1 == next ? sum(some, all) : all;
            } else if (some != null && row.fireSeq() + some.count() == next) {
                all = sum(some, all);
                next = row.fireSeq();
            } else if (row.outcome() == Outcome.EXCLUDED && row.fireSeq() + 1 == next) {
                next = row.fireSeq();
            }
        }
        return all;
    }

    /** Whether the row was written while a fire was in progress: it names that, and its own ones are later. */
    private static boolean isBehind(JobExecutionStatus row, MissedFires some) {
        return row.fireTime() != null && row.fireTime().isBefore(some.first());
    }

    /** @param newer by their rows; absent = none */
    private static MissedFires sum(MissedFires older, @Nullable MissedFires newer) {
        return newer == null
                ? older
                : new MissedFires(
                        older.first().isBefore(newer.first()) ? older.first() : newer.first(),
                        older.last().isAfter(newer.last()) ? older.last() : newer.last(),
                        older.count() + newer.count(),
                        older.more() || newer.more(),
                        newer.reason());
    }

    private static Actor asked(List<JobExecutionStatus> rows, Instant manualFire) {
        Instant from = manualFire.truncatedTo(ChronoUnit.MILLIS);
        return rows.stream()
                .filter(row -> row.author() != null && row.outcome() == Outcome.NONE)
                .filter(row -> !row.updatedTime().isBefore(from))
                .reduce((newer, older) -> older)
                .map(row -> Actor.named(row.author(), row.reason()))
                .orElseGet(() -> Actor.named(Actor.UNKNOWN, null));
    }

    /** The planned fire that the job waits for, beside a run by hand; empty if none is left. */
    public static Optional<Instant> awaited(StoredJob job, FirePlanner planner) {
        Instant awaited = ChangedSchedule.awaited(job);
        return awaited != null || job.requests().scheduleChanged() == null
                ? Optional.ofNullable(awaited)
                : changed(job, null, planner);
    }

    /**
     * The planned fire that follows the present one, as far as it is known by now: not if it is counted from the end of that,
     * or none is left.
     */
    public static Optional<Instant> next(StoredJob job, FirePlanner planner) {
        JobSpecification specification = job.specification();
        FirePlan plan = job.plan();
        if (plan.nextFireTime() == null) {
            return awaited(job, planner);
        }
        Integer most = FirePlanner.most(specification);
        ScheduleChange change = job.requests().scheduleChanged();
        boolean last = most != null && plan.firesEnded() + 1 >= most;
        boolean delayed = FirePlanner.isDelayed(specification) && (change == null || change.carried() == null);
        if (last || delayed) {
            return Optional.empty();
        }
        if (change != null || plan.carried() != null) {
            return changed(job, plan.nextFireTime(), planner);
        }
        return specification.isRecurring()
                ? new CompletionDecider(planner)
                        .following(specification, plan, planner.anchor(specification, plan))
                        .map(FirePlan::nextFireTime)
                : Optional.empty();
    }

    private static Optional<Instant> changed(StoredJob job, @Nullable Instant ended, FirePlanner planner) {
        return new ChangedSchedule(planner).plan(job, job.plan(), ended).map(FirePlan::nextFireTime);
    }
}
