package dev.almanac.engine.rules;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.NewJob;
import dev.almanac.store.RowLimit;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives each row, as it is made, the moment at which it is removed (rules M8, N5): no row is changed when a newer one
 * follows. Pure functions.
 */
public final class RowEnds {
    /** Rows that would be kept too long by no more than this are left alone. */
    private static final Duration MUCH = Duration.ofDays(1);
    /** A row of a job that does not go on as planned, and that would be removed before so long, is kept on. */
    public static final Duration LEAST = Duration.ofDays(2);
    /** For how long it is kept on. */
    public static final Duration MORE = Duration.ofDays(4);

    private RowEnds() {}

    /** The change whose rows have their ends. */
    public static JobChange of(JobChange change, DecisionContext context) {
        StoredJob after = change.after();
        List<JobExecutionStatus> rows = new ArrayList<>(change.rows().size());
        for (JobExecutionStatus row : change.rows()) {
            rows.add(born(row, after, context));
        }
        StoredJob shown = rows.isEmpty() ? after : after.with(edit -> edit.lastStatus(newest(after, rows)));
        return new JobChange(change.before(), shown, rows, limit(change, context), change.by(), change.removes());
    }

    private static JobExecutionStatus newest(StoredJob after, List<JobExecutionStatus> rows) {
        JobExecutionStatus last = after.lastStatus();
        for (JobExecutionStatus row : rows) {
            if (row.id().equals(last.id())) {
                return row;
            }
        }
        return last;
    }

    /** @param job as it is with the row */
    static JobExecutionStatus born(JobExecutionStatus row, StoredJob job, DecisionContext context) {
        DecisionContext then = context.notBefore(moment(job, context.now()));
        Instant end = ordinary(job, then);
        // a row that names a failed one proves that its rerun was requested (rule A2)
        if (RowLimit.isFailure(row) || row.rerunOf() != null) {
            end = later(end, then.failedUntil(job.specification()));
        }
        boolean first = NewJob.isCreation(row) && !job.specification().isRecurring();
        if (row.author() != null && !first) {
            end = later(end, context.requestedUntil());
        }
        return row.toBuilder().deleteTime(end).build();
    }

    /** When the job goes on: its next start, or now. */
    private static Instant moment(StoredJob job, Instant now) {
        Instant start = job.isLive() ? job.plan().startTime() : null;
        return start == null || start.isBefore(now) ? now : start;
    }

    private static Instant ordinary(StoredJob job, DecisionContext then) {
        if (!job.isLive()) {
            return job.specification().deleteTime().orElseThrow();
        }
        return job.specification().isRecurring()
                ? then.supersededUntil(job.specification())
                : then.goodUntil(job.specification());
    }

    /** Absent unless the job goes on, or ends, long before the moment for which its rows were made. */
    private static @Nullable RowLimit limit(JobChange change, DecisionContext context) {
        StoredJob after = change.after();
        Instant moment = moment(after, context.now());
        if (!moment(change.before(), context.now()).isAfter(moment.plus(MUCH))) {
            return null;
        }
        DecisionContext then = context.notBefore(moment);
        Instant ordinary = ordinary(after, then);
        Instant failures = then.failedUntil(after.specification());
        return new RowLimit(ordinary, later(later(ordinary, failures), context.requestedUntil()));
    }

    /**
     * When a row that a document shows is removed at the earliest: the newest rows of a job that has not gone on as planned,
     * as while it is paused, are kept on (rule N4).
     */
    public static Instant ofShown(ShownRow shown, Instant now) {
        Instant born = shown.row().deleteTime();
        Instant goesOn = shown.goesOn();
        boolean stands = shown.live() && (goesOn == null || goesOn.isBefore(now));
        return born == null || stands && born.isBefore(now.plus(LEAST)) ? now.plus(MORE) : born;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
