package dev.almanac.store;

import dev.almanac.model.JobExecutionStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which status rows to read, newest first: those of a key, of a document, or of fires that failed for good. One of the
 * three is present.
 *
 * @param key rows of the specification documents of this key that are stored; those of a document that was deleted are found by
 *     its id
 * @param jobSpecificationId rows of this document
 * @param failed rows of status FAILED of all jobs, within this span
 * @param before only rows of the key or document that were written before this instant; absent = no bound
 * @param limit most rows to return, 1 to 10 000
 */
public record RowQuery(
        @Nullable String key,
        @Nullable String jobSpecificationId,
        @Nullable Span failed,
        @Nullable Instant before,
        int limit) {

    /**
     * When rows were written.
     *
     * @param from at or after this instant; absent = no bound
     * @param until before this instant; absent = no bound
     */
    public record Span(@Nullable Instant from, @Nullable Instant until) {}

    /** The newest rows of a key. */
    public static RowQuery ofKey(String key, int limit) {
        return new RowQuery(Objects.requireNonNull(key, "key"), null, null, null, limit);
    }

    /** The newest rows of one document. */
    public static RowQuery ofDocument(String jobSpecificationId, int limit) {
        return new RowQuery(null, jobSpecificationId, null, null, limit);
    }

    /** The newest rows of fires that failed for good, of all jobs. */
    public static RowQuery ofFailures(@Nullable Instant from, @Nullable Instant until, int limit) {
        return new RowQuery(null, null, new Span(from, until), null, limit);
    }

    /**
     * What of a page is handled before the next one is read, which begins {@link #before} the last of these: rows are as precise
     * as a millisecond, so those of the page's last one may go on behind it. Of a millisecond that fills a page the rest is left
     * out.
     *
     * @param page the rows that this query has found
     */
    public List<JobExecutionStatus> whole(List<JobExecutionStatus> page) {
        if (isLast(page)) {
            return page;
        }
        Instant oldest = page.get(page.size() - 1).updatedTime();
        List<JobExecutionStatus> newer =
                page.stream().filter(row -> row.updatedTime().isAfter(oldest)).toList();
        return newer.isEmpty() ? page : newer;
    }

    /** Whether no rows follow this page. */
    public boolean isLast(List<JobExecutionStatus> page) {
        return page.size() < limit;
    }

    /**
     * Whether such a row was written after a moment. Reads page by page, as far as it takes.
     *
     * @param read reads the rows of a query, newest first
     */
    public boolean finds(
            Instant after, Function<RowQuery, List<JobExecutionStatus>> read, Predicate<JobExecutionStatus> wanted) {
        for (RowQuery query = this; ; ) {
            List<JobExecutionStatus> page = read.apply(query);
            List<JobExecutionStatus> rows = query.whole(page);
            if (rows.stream().filter(row -> row.updatedTime().isAfter(after)).anyMatch(wanted)) {
                return true;
            }
            Instant oldest = rows.isEmpty() ? null : rows.get(rows.size() - 1).updatedTime();
            if (query.isLast(page) || oldest == null || !oldest.isAfter(after)) {
                return false;
            }
            query = before(oldest);
        }
    }

    /** Of the same key or document the newest rows that were written before this instant; absent = no bound. */
    public RowQuery before(@Nullable Instant moment) {
        return new RowQuery(key, jobSpecificationId, failed, moment, limit);
    }
}
