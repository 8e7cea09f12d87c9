package dev.almanac.helper;

import dev.almanac.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Defaults for jobs of a command type. They are applied when a job is scheduled or updated, and stored with it; stored
 * jobs do not change.
 *
 * @param priority 0 to 7, for jobs of the standard priority 4; absent = 4
 * @param retryPolicy for jobs without retries; absent = none
 */
public record TypeDefaults(
        @Nullable Integer priority, @Nullable RetryPolicy retryPolicy) {
    /** No defaults. */
    public static final TypeDefaults NONE = new TypeDefaults(null, null);

    private static final int LEAST_URGENT = 7;

    /** @throws IllegalArgumentException if the priority is out of range */
    public TypeDefaults {
        if (priority != null && (priority < 0 || priority > LEAST_URGENT)) {
            throw new IllegalArgumentException(
                    "the priority " + priority + " of a command type is not within 0 to " + LEAST_URGENT);
        }
    }
}
