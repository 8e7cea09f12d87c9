package dev.almanac.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a job that were pinned: declarations leave them as they are stored (rule S26).
 *
 * @param fields by their names in the document, at least one
 * @param by who pinned them, and why
 * @param at when
 * @param until when it ends by itself; absent = it ends when the job is unpinned
 */
public record Pin(
        List<String> fields, Actor by, Instant at, @Nullable Instant until) {
    /** Copies the fields. */
    public Pin {
        fields = List.copyOf(fields);
    }

    @Override
    public String toString() {
        return String.join(", ", fields) + " by " + by + " at " + at + (until == null ? "" : " until " + until);
    }
}
