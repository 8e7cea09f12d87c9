package dev.almanac.engine.rules;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import dev.almanac.time.InvalidCronException;
import java.util.List;
import java.util.function.Supplier;

/** What follows a run cannot be planned here; the run itself is judged. */
final class UnplannableException extends RuntimeException {
    private final transient List<JobExecutionStatus> rows;

    private UnplannableException(List<JobExecutionStatus> rows, Throwable cause) {
        super(String.valueOf(cause.getMessage()), cause);
        this.rows = rows;
    }

    /** @param rows what is recorded of the run even if the fires cannot be told */
    static <T> T unless(List<JobExecutionStatus> rows, Supplier<T> fires) {
        try {
            return fires.get();
        } catch (RuntimeException | Error e) {
            throw new UnplannableException(rows, e);
        }
    }

    /** The run is recorded all the same; only what no node can read is blocked (rule X6). */
    JobChange change(StoredJob job, Moment moment) {
        if (job.requests().cancelRequested()) {
            return Transitions.canceled(job, rows, moment);
        }
        return isUnreadable(this)
                ? Transitions.block(job, rows, "what follows the run cannot be planned: " + getMessage(), moment)
                : Transitions.leaveToOthers(job, rows, moment);
    }

    /** Whether the document itself is what cannot be planned, on every node alike. */
    static boolean isUnreadable(Throwable thrown) {
        return (thrown instanceof UnplannableException ? thrown.getCause() : thrown) instanceof InvalidCronException;
    }
}
