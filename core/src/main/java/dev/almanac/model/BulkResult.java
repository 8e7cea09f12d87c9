package dev.almanac.model;

import org.jspecify.annotations.Nullable;

/**
 * The result of one item of a bulk call.
 *
 * @param key the key of the specification
 * @param job the job as it is stored; absent if it was refused
 * @param error why it was refused; absent if it is stored
 */
public record BulkResult(
        String key, @Nullable Job job, @Nullable RuntimeException error) {}
