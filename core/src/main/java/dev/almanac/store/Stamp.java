package dev.almanac.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are given their {@code deleteTime} after a change was applied (rule M6).
 *
 * @param deleteTime when they are removed
 * @param rowId the one row; absent = every row of the job that has no {@code deleteTime} yet
 */
public record Stamp(Instant deleteTime, @Nullable String rowId) {}
