package dev.almanac.engine.request;

import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
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

    /** Of a call that threw. An Error, too, is the result of its item alone: such as of a codec, or a class that is missing. */
    static BulkItem refused(String key, Throwable why) {
        return new BulkItem(
                key,
                null,
                why instanceof RuntimeException exception
                        ? exception
                        : new IllegalStateException(
                                "the request for job '" + Printable.value(key) + "' failed: " + why, why));
    }
}
