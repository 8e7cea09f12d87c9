package dev.almanac.store;

import dev.almanac.model.Actor;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Queries about the state of a store, for checks of its invariants. A {@link JobStore} may implement it; the engine
 * works without it. Reads only, each bounded, except {@link #removeDamaged}. Thread-safe.
 */
public interface StoreInspection {
    /**
     * Violations of invariants in the store itself.
     *
     * @param limit how many rows and how many finished jobs to look at, those with the lowest ids and the earliest
     *     removal, 1 to 100 000
     * @throws StoreException if the store does not answer
     */
    State inspect(int limit);

    /**
     * The ids among these for which no status row is stored.
     *
     * @param rowIds at most 10 000
     * @throws StoreException if the store does not answer
     */
    Set<String> missingRows(Collection<String> rowIds);

    /**
     * Retires a document that cannot be read: it cannot be claimed any more, its key is free, and it is removed at the
     * given moment. A readable document stays as it is.
     *
     * @param by stored with it
     *
     * @return false if there is no such document of the key
     * @throws StoreException if the store does not answer
     */
    boolean removeDamaged(String jobSpecificationKey, Instant deleteTime, Actor by);

    /**
     * The rows that the documents of jobs show, live or not, in the order of the ids of the jobs; damaged documents are
     * omitted.
     *
     * @param after the {@code next} of the page before; absent = from the first
     * @param limit how many documents to
     *     read, 1 to 10 000
     * @throws StoreException if the store does not answer
     */
    Page<ShownRow> newestRows(@Nullable String after, int limit);

    /**
     * Rows without {@code deleteTime} that should have one, by the ids of their jobs.
     *
     * @param after the {@code next} of the previous page; absent = from the first
     * @param limit how many rows to look at, 1 to 10 000
     * @throws StoreException if the store does not answer
     */
    Page<UnstampedRow> unstampedRows(@Nullable String after, int limit);

    /**
     * A page of results.
     *
     * @param items may be fewer than were examined
     * @param next where the next page begins; absent = there is none
     */
    record Page<T>(List<T> items, @Nullable String next) {}

    /**
     * A row that a document shows.
     *
     * @param jobId id of the document
     * @param history which rows the job keeps
     * @param row the row, which may not be stored
     */
    record ShownRow(String jobId, History history, JobExecutionStatus row) {}

    /**
     * The result of an inspection.
     *
     * @param indexProblems what is missing or different, in words; empty if all is well
     * @param unstampedRows rows without {@code deleteTime} that should have one
     * @param finishedWithDue keys of finished jobs that have a due time
     * @param finishedWithoutRow ids of finished jobs whose newest row, according to {@code lastStatus}, is missing
     * @param more whether there are more rows or finished jobs than were looked at
     */
    record State(
            List<String> indexProblems,
            List<UnstampedRow> unstampedRows,
            List<String> finishedWithDue,
            List<String> finishedWithoutRow,
            boolean more) {}

    /**
     * A row without {@code deleteTime}.
     *
     * @param id of the row
     * @param key of the job
     * @param since when it should have been stamped: the time of the row that replaced it, of the job's newest row if
     *     that has finished, or its own if the job is gone
     * @param failed whether it records a failure, which is kept longer
     * @param why the state of its job
     * @param deleteTime that of the finished job; else absent
     * @param requested whether it is the row of a user's request, which is kept for longer
     */
    record UnstampedRow(
            String id,
            String key,
            Instant since,
            boolean failed,
            Why why,
            @Nullable Instant deleteTime,
            boolean requested) {}

    /** Why a row should expire. */
    enum Why {
        /** The job's document is gone. */
        ORPHANED,
        /** The job has finished. */
        FINISHED,
        /** A newer row of the recurring job, which is live, has replaced it. */
        SUPERSEDED
    }
}
