package dev.almanac.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of documents.
 *
 * @param jobs those that could be read, in the order of their keys
 * @param damaged those that could not
 * @param lastKey the last key that was examined, after which the next page begins; absent = there is none
 */
public record JobList(
        List<StoredJob> jobs,
        List<DamagedJob> damaged,
        @Nullable String lastKey) {
    /** Whether further documents may follow. */
    public boolean more() {
        return lastKey != null;
    }
}
