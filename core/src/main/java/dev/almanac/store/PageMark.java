package dev.almanac.store;

import dev.almanac.model.JobQuery;
import org.jspecify.annotations.Nullable;

/**
 * Where a page of jobs begins ({@link JobQuery#afterKey()}): after all documents of a key or, if a page ended among those
 * of one key, after one of them. Finished jobs of one key can be many.
 *
 * @param key after which the page begins
 * @param id of the document of that key after which it begins; absent = after all of them
 */
public record PageMark(String key, @Nullable String id) {
    /** No key holds a control character. */
    private static final char BETWEEN = '\0';

    /** The mark of a query; one without begins before every key. */
    public static PageMark of(JobQuery query) {
        String after = query.afterKey();
        int between = after == null ? -1 : after.indexOf(BETWEEN);
        if (after == null || between < 0) {
            return new PageMark(after == null ? "" : after, null);
        }
        return new PageMark(after.substring(0, between), after.substring(between + 1));
    }

    /** Whether the page begins before that document. */
    boolean isBefore(StoredJob job) {
        int order = job.key().compareTo(key);
        return order > 0 || order == 0 && id != null && job.id().compareTo(id) > 0;
    }

    /** The text that {@link #of} reads. */
    @Override
    public String toString() {
        return id == null ? key : key + BETWEEN + id;
    }
}
