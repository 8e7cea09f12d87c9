package dev.almanac.engine.rules;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.StoredFields;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CronDialect;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The moments from which the steps and delays of schedules are counted. Pure functions. */
final class Anchors {
    /** By how much the row of an end may be ahead of the clock, since it is later than an older row. */
    private static final Duration AHEAD = Duration.ofSeconds(1);

    private Anchors() {}

    /**
     * The job with its anchor: the stored one as long as its steps are unchanged.
     *
     * @param start as it was given, in milliseconds: one that has passed is no bound, but steps are counted from it
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
                : FirePlanner.hasSameText(job, stored) && job.startAt().equals(stored.startAt());
    }

    /** The anchor of a new schedule: the first fire of a fixed rate; a fixed delay is counted from now. */
    private static Instant anchor(JobSpecification job, @Nullable Instant start, Instant now) {
        if (FirePlanner.isDelayed(job)) {
            return delayedFrom(job, start, now.truncatedTo(ChronoUnit.MILLIS));
        }
        return start == null ? now.truncatedTo(ChronoUnit.SECONDS) : start;
    }

    /** From where a fixed delay is counted: the moment, or so long before {@code start} that this is the fire if it is later. */
    private static Instant delayedFrom(JobSpecification job, @Nullable Instant start, Instant moment) {
        if (start == null) {
            return moment;
        }
        try {
            Instant first = start.minus(Duration.parse(FirePlanner.text(job)));
            return first.isAfter(moment) ? first : moment;
        } catch (DateTimeException | ArithmeticException notRead) {
            return moment;
        }
    }

    private static JobSpecification countedFrom(JobSpecification job, Instant end) {
        return StoredFields.of(job)
                .anchor(delayedFrom(job, job.startAt().orElse(null), end))
                .build();
    }

    /**
     * The job; one with a fixed delay gets the end of its run as anchor, or a later one if its {@code startAt} lies ahead.
     *
     * @param row the time of the row that ends it
     */
    static StoredJob counted(StoredJob job, Instant row, Instant now) {
        return FirePlanner.isDelayed(job.specification())
                ? job.with(edit -> edit.specification(countedFrom(job.specification(), end(row, now))))
                : job;
    }

    /** After the server's clock was set back, rows are ahead of it, since they follow older ones; no run has ended then. */
    private static Instant end(Instant row, Instant now) {
        return row.isAfter(now.plus(AHEAD)) ? now : row;
    }

    /**
     * The change with the anchor at the end of the run as it was first recorded, so that deciding again does not move
     * the next fire of a fixed delay.
     */
    static JobChange endedAt(FirePlanner planner, JobChange change, Instant row, DecisionContext context) {
        JobSpecification after = change.after().specification();
        boolean counted = change.after().plan().carried() == null
                && !Objects.equals(
                        StoredFields.anchorOf(after),
                        StoredFields.anchorOf(change.before().specification()));
        if (!counted || !change.after().isLive() || change.rows().isEmpty()) {
            return change;
        }
        JobSpecification ended = countedFrom(after, end(row, context.now()));
        return planner.planAfterEnd(ended, change.after().plan())
                .map(plan -> Rows.planned(change, ended, plan, context))
                .orElse(change);
    }
}
