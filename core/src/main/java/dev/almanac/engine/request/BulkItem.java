package dev.almanac.engine.request;

import dev.almanac.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * The result of one item of a bulk call.
 *
 * @param key the key of the specification
 * @param job the stored job; absent if it was refused
 * @param error why it was refused; absent if it is stored
 */
public record BulkItem(
        String key, @Nullable StoredJob job, @Nullable RuntimeException error) {
    /** Said of what an outage has left out. */
    static final String NOT_BEGUN = "was not begun, since the store did not answer before";
}
