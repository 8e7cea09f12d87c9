package dev.almanac.engine.rules;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import dev.almanac.time.InvalidCronException;
import java.util.List;
import java.util.function.Supplier;

/** The next fire cannot be planned on this node; the result of the run is known. */
final class UnplannableException extends RuntimeException {
    private final transient List<JobExecutionStatus> rows;

    private UnplannableException(List<JobExecutionStatus> rows, Throwable cause) {
        super(String.valueOf(ErrorSummary.of(cause).message()), cause);
        this.rows = rows;
    }

    /** @param rows the rows of the run, which are written even if fires cannot be computed */
    static <T> T unless(List<JobExecutionStatus> rows, Supplier<T> fires) {
        try {
            return fires.get();
        } catch (RuntimeException | Error e) {
            throw new UnplannableException(rows, e);
        }
    }

    /** The change that records the run; the job is blocked only if no node can read its schedule (rule X6). */
    JobChange change(StoredJob job, DecisionContext context) {
        if (job.requests().cancelRequested()) {
            return Transitions.canceled(job, rows, context);
        }
        return isUnreadable(this)
                ? Transitions.blockEnded(job, rows, "what follows the run cannot be planned: " + getMessage(), context)
                : Transitions.unplanned(job, rows, context);
    }

    /** Whether the cause is the document itself, so that no node can plan it. */
    static boolean isUnreadable(Throwable thrown) {
        return (thrown instanceof UnplannableException ? thrown.getCause() : thrown) instanceof InvalidCronException;
    }
}
