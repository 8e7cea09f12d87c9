package dev.almanac.helper;

import dev.almanac.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Defaults for jobs of a command type whose specifications set no priority or no retry policy of their own. They are
 * applied when such a job is scheduled, and stored with it; stored jobs do not change with the defaults.
 *
 * @param priority 0 to 7; absent = 4
 * @param retryPolicy absent = none
 */
public record TypeDefaults(
        @Nullable Integer priority, @Nullable RetryPolicy retryPolicy) {
    /** No defaults. */
    public static final TypeDefaults NONE = new TypeDefaults(null, null);

    private static final int LEAST_URGENT = 7;

    /** These, and others for what these leave open. */
    public TypeDefaults or(TypeDefaults others) {
        return new TypeDefaults(
                priority == null ? others.priority : priority, retryPolicy == null ? others.retryPolicy : retryPolicy);
    }

    /** @throws IllegalArgumentException if the priority is out of range */
    public TypeDefaults {
        if (priority != null && (priority < 0 || priority > LEAST_URGENT)) {
            throw new IllegalArgumentException(
                    "the priority " + priority + " of a command type is not within 0 to " + LEAST_URGENT);
        }
    }
}
