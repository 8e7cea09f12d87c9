package dev.almanac.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of documents.
 *
 * @param jobs those that could be read, in the order of their keys
 * @param damaged those that could not
 * @param lastKey the place after which the next page begins, as {@link Place} writes it: the last key that was examined;
 *     absent = there is none
 * @param windowOver whether it ends there because the window of the query was examined; not if it is full, or if its jobs are
 *     so large that more of them do not fit into memory
 */
public record JobList(
        List<StoredJob> jobs,
        List<DamagedJob> damaged,
        @Nullable String lastKey,
        boolean windowOver) {
    /** A page that no window has ended. */
    public JobList(List<StoredJob> jobs, List<DamagedJob> damaged, @Nullable String lastKey) {
        this(jobs, damaged, lastKey, false);
    }

    /**
     * A place in the order of a list.
     *
     * @param key what comes before it, and the jobs of this key
     * @param job which of the finished jobs of the key is the last before it, in words of the store; absent = all are
     */
    public record Place(String key, @Nullable String job) {
        /** No key has this character, and a terminal prints it. */
        private static final char SEPARATOR = '\t';

        /** @param after {@code afterKey} of a query; absent = the first place */
        public static Place of(@Nullable String after) {
            int end = after == null ? -1 : after.indexOf(SEPARATOR);
            return after == null
                    ? new Place("", null)
                    : end < 0 ? new Place(after, null) : new Place(after.substring(0, end), after.substring(end + 1));
        }

        /** What {@link #of} reads. */
        @Override
        public String toString() {
            return job == null ? key : key + SEPARATOR + job;
        }
    }

    /** Whether further documents may follow. */
    public boolean more() {
        return lastKey != null;
    }
}
