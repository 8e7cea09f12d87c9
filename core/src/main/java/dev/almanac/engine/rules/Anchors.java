package dev.almanac.engine.rules;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.StoredFields;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CronDialect;
import dev.almanac.time.Schedule;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The moments from which the steps and delays of schedules are counted. Pure functions. */
final class Anchors {
    private Anchors() {}

    /**
     * The job with its anchor: the stored one as long as its steps are unchanged.
     *
     * @param start as it was given: one that has passed is no bound, but steps are counted from it
     */
    static JobSpecification anchored(
            JobSpecification job, @Nullable Instant start, Instant now, @Nullable JobSpecification stored) {
        CronDialect dialect = job.cronDialect();
        if (!job.isRecurring() || dialect != CronDialect.EVERY && dialect != CronDialect.EVERY_AFTER_END) {
            return StoredFields.of(job).anchor(null).build();
        }
        Instant anchor = stored == null ? null : StoredFields.anchorOf(stored);
        boolean kept = stored != null && anchor != null && hasSameSteps(job, stored);
        return StoredFields.of(job)
                .anchor(kept ? anchor : anchor(job, start, now))
                .build();
    }

    private static boolean hasSameSteps(JobSpecification job, JobSpecification stored) {
        return FirePlanner.isDelayed(job)
                ? job.hasSameSchedule(stored)
                : stored.isRecurring()
                        && steps(job).equals(steps(stored))
                        && job.cronDialect() == stored.cronDialect()
                        && job.startAt().equals(stored.startAt());
    }

    private static String steps(JobSpecification job) {
        return Schedule.canonical(job.schedulingSpecification().orElseThrow(), job.cronDialect());
    }

    /**
     * The anchor of a new schedule: the first fire of a fixed rate; for a fixed delay a moment such that no fire lies
     * before {@code startAt}.
     */
    private static Instant anchor(JobSpecification job, @Nullable Instant start, Instant now) {
        if (!FirePlanner.isDelayed(job)) {
            return start == null ? now.truncatedTo(ChronoUnit.SECONDS) : start;
        }
        try {
            Instant first = start == null
                    ? now
                    : start.minus(Duration.parse(job.schedulingSpecification().orElseThrow()));
            return first.isAfter(now) ? first : now.truncatedTo(ChronoUnit.MILLIS);
        } catch (DateTimeException notRead) {
            return now;
        }
    }

    /**
     * The job; one with a fixed delay gets the end of its run as anchor.
     *
     * @param end the time of the row that ends it
     */
    static StoredJob counted(StoredJob job, Instant end) {
        return FirePlanner.isDelayed(job.specification())
                ? job.with(edit -> edit.specification(
                        StoredFields.of(job.specification()).anchor(end).build()))
                : job;
    }

    /**
     * The change with the anchor at the end of the run as it was first recorded, so that deciding again does not move
     * the next fire of a fixed delay.
     */
    static JobChange endedAt(FirePlanner planner, JobChange change, Instant end, DecisionContext context) {
        JobSpecification after = change.after().specification();
        boolean counted = change.after().plan().carried() == null
                && !Objects.equals(
                        StoredFields.anchorOf(after),
                        StoredFields.anchorOf(change.before().specification()));
        if (!counted || !change.after().isLive() || change.rows().isEmpty()) {
            return change;
        }
        JobSpecification ended = StoredFields.of(after).anchor(end).build();
        return planner.planAfterEnd(ended, change.after().plan())
                .map(plan -> Rows.planned(change, ended, plan, context))
                .orElse(change);
    }
}
