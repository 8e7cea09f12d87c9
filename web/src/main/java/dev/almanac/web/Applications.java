package dev.almanac.web;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The applications whose jobs a right is for, by their application tag.
 *
 * @param all every job, also those without an application
 * @param tags otherwise the jobs of these
 */
public record Applications(boolean all, Set<String> tags) {
    /** No job. */
    public static final Applications NONE = new Applications(false, Set.of());

    /** Every job, also those without an application. */
    public static final Applications ALL = new Applications(true, Set.of());

    /** Copies the set. */
    public Applications {
        tags = Set.copyOf(tags);
    }

    /** The jobs of these applications, and no other job. */
    public static Applications of(String... tags) {
        return new Applications(false, Set.of(tags));
    }

    /** Whether a job of this application is among them; absent = it has none. */
    public boolean include(@Nullable String applicationTag) {
        return all || applicationTag != null && tags.contains(applicationTag);
    }

    /** Whether there is no job among them, of any application. */
    public boolean isEmpty() {
        return !all && tags.isEmpty();
    }
}
