package dev.almanac.store;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which status rows to read, newest first: those of a key, of a document, or of fires that failed for good. One of the
 * three is present.
 *
 * @param key rows of every specification document that had this key
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

    /** Of the same key or document the newest rows that were written before this instant. */
    public RowQuery before(Instant moment) {
        return new RowQuery(key, jobSpecificationId, failed, moment, limit);
    }
}
