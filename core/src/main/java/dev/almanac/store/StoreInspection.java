package dev.almanac.store;

import dev.almanac.model.Actor;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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
     * @param limit how many finished jobs to look at, those with the earliest removal, 1 to 100 000
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

    /** What became of a document that was to be removed. */
    enum Removal {
        /** It is not claimed any more, its key is free, and it expires. */
        REMOVED,
        /** No document of the key is damaged, or it was changed meanwhile. */
        NOT_FOUND,
        /** Others may be able to read it, such as a newer release. */
        READABLE_ELSEWHERE,
        /** A node has a lease of it, which has not ended. */
        LEASED
    }

    /**
     * Retires a document that cannot be read: it cannot be claimed any more, its key is free, and it is removed at the
     * given moment. A readable document stays as it is, and so does one that others may read or a node holds.
     *
     * @param by stored with it
     * @throws StoreException if the store does not answer
     */
    Removal removeDamaged(String jobSpecificationKey, Instant deleteTime, Actor by);

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
     * @param row the row, which may not be stored; of a page, its id, status, outcome, updated and delete time only
     * @param live whether the job is live
     * @param goesOn when the job may be claimed next; absent while it is held, without a moment, or finished
     * @param plannedBy of a live job that may be claimed: the versions of the calendars that its plan was made from
     */
    record ShownRow(
            String jobId,
            History history,
            JobExecutionStatus row,
            boolean live,
            @Nullable Instant goesOn,
            Map<String, Long> plannedBy) {
        /** The rows that a document shows. */
        public static List<ShownRow> of(StoredJob job) {
            return job.shownRows().stream().map(row -> of(job, row)).toList();
        }

        /** The newest one. */
        public static ShownRow newestOf(StoredJob job) {
            return of(job, job.lastStatus());
        }

        private static ShownRow of(StoredJob job, JobExecutionStatus row) {
            Instant goesOn = job.lease() == null ? job.due() : null;
            Map<String, Long> plannedBy = goesOn == null ? Map.of() : job.plannedBy();
            return new ShownRow(job.id(), job.specification().history(), row, job.isLive(), goesOn, plannedBy);
        }
    }

    /**
     * The result of an inspection.
     *
     * @param indexProblems what is missing or different, in words; empty if all is well
     * @param foreign what others have added to the collections, each in words with what to do; empty if nothing
     * @param finishedWithDue keys of finished jobs that have a due time
     * @param finishedWithoutRow ids of finished jobs whose newest row, according to {@code lastStatus}, is missing
     * @param more whether there are more finished jobs than were looked at
     */
    record State(
            List<String> indexProblems,
            List<String> foreign,
            List<String> finishedWithDue,
            List<String> finishedWithoutRow,
            boolean more) {}
}
