package dev.almanac.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an application has declared last (rules R13, S26).
 *
 * @param version rises with each change; 0 = nothing was declared
 * @param release the highest release that has declared; absent if none has named one
 * @param schedules a fingerprint of the schedule, by key, of each declared job that ends by itself; after them, in this order,
 *     those that were declared before
 */
public record DeclaredJobs(long version, @Nullable String release, Map<String, String> schedules) {
    /** Nothing was declared. */
    public static final DeclaredJobs NONE = new DeclaredJobs(0, null, Map.of());

    /** Copies the schedules in their order. */
    public DeclaredJobs {
        schedules = Collections.unmodifiableMap(new LinkedHashMap<>(schedules));
    }

    /** What replaces this. */
    public DeclaredJobs next(@Nullable String newest, Map<String, String> declared) {
        return new DeclaredJobs(version + 1, newest, declared);
    }
}
