package dev.almanac.model;

import org.jspecify.annotations.Nullable;

/**
 * A field in which contents of a job differ from older ones.
 *
 * @param field its name
 * @param before what it was, shortened, {@code none} if it was not set; absent if it contains a command, which is not shown
 * @param after what it is, likewise
 */
public record FieldChange(
        String field, @Nullable String before, @Nullable String after) {
    /** A field of which only is said that it differs. */
    public static FieldChange hidden(String field) {
        return new FieldChange(field, null, null);
    }

    /** {@code field: before -> after}, or {@code field: changed}. */
    @Override
    public String toString() {
        return field + ": " + (before == null ? "changed" : before + " -> " + after);
    }
}
