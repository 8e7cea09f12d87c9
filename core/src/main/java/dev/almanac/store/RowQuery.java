package dev.almanac.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which status rows to read, newest first.
 *
 * @param key rows of every specification document that had this key; absent = by document
 * @param jobSpecificationId rows of this document; absent = by key
 * @param limit most rows to return, 1 to 10 000
 */
public record RowQuery(@Nullable String key, @Nullable String jobSpecificationId, int limit) {
    /** The newest rows of a key. */
    public static RowQuery ofKey(String key, int limit) {
        return new RowQuery(Objects.requireNonNull(key, "key"), null, limit);
    }

    /** The newest rows of one document. */
    public static RowQuery ofDocument(String jobSpecificationId, int limit) {
        return new RowQuery(null, jobSpecificationId, limit);
    }
}
