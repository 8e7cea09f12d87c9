package dev.almanac.store;

import dev.almanac.model.JobExecutionStatus;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells which rows of failed fires stand for their jobs: of each document the newest one (rule S19). What is done for an earlier
 * one would be done for a failure that was not seen. Not thread-safe.
 */
public final class NewestFailures {
    /** Of documents that have failed behind the span. */
    private static final int MOST_BEHIND = 1_000;
    /** Of one document at a time. */
    private static final int ROWS_READ = 100;

    private final Function<RowQuery, List<JobExecutionStatus>> read;
    private final @Nullable Instant known;
    private final Set<String> documents;
    /** Whether these are all that have failed behind the span. */
    private final boolean all;

    /**
     * Reads once which documents have failed behind a span.
     *
     * @param read reads rows from the store
     * @param until the end of the span, exclusive; absent = it has none
     * @param known failures from then on do not count; absent = all do
     */
    public NewestFailures(
            Function<RowQuery, List<JobExecutionStatus>> read, @Nullable Instant until, @Nullable Instant known) {
        this.read = read;
        this.known = known;
        if (until == null) {
            documents = new HashSet<>();
            all = true;
        } else {
            RowQuery behind = RowQuery.ofFailures(until, known, MOST_BEHIND);
            List<JobExecutionStatus> rows = read.apply(behind);
            documents =
                    rows.stream().map(JobExecutionStatus::jobSpecificationId).collect(Collectors.toSet());
            all = behind.isLast(rows);
        }
    }

    /**
     * Whether it is the newest failure of its document. Takes each row of the span once, newest first. Reads rows only of a
     * document that has some behind it, if more have failed since than were read.
     *
     * @param written when the newest row of the document was written
     */
    public boolean isNewest(JobExecutionStatus failed, Instant written) {
        Instant at = failed.updatedTime();
        return documents.add(failed.jobSpecificationId())
                && (all || !written.isAfter(at) || !hasFailed(failed.jobSpecificationId(), at, known, read));
    }

    /**
     * Whether a fire of a document has failed for good within a time.
     *
     * @param after later than that
     * @param before earlier than that; absent = no bound
     * @param read reads rows from the store, newest first
     */
    public static boolean hasFailed(
            String document,
            Instant after,
            @Nullable Instant before,
            Function<RowQuery, List<JobExecutionStatus>> read) {
        return RowQuery.ofDocument(document, ROWS_READ)
                .before(before)
                .finds(after, read, JobExecutionStatus::isFailedFire);
    }
}
