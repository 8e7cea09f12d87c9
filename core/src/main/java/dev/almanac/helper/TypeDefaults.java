package dev.almanac.helper;

import dev.almanac.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What holds for jobs of a command type that do not say it themselves. It is filled in when a job is scheduled or updated
 * and stored with it; jobs that are stored keep what they have.
 *
 * @param priority 0 to 7, for jobs of the standard priority 4; absent = 4
 * @param retryPolicy for jobs without retries; absent = none
 */
public record TypeDefaults(
        @Nullable Integer priority, @Nullable RetryPolicy retryPolicy) {
    /** Jobs have what they say. */
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
