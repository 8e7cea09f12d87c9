package dev.almanac.web;

import java.util.Objects;

/**
 * A user of the console.
 *
 * @param author the name that is stored in rows and pauses
 * @param sees jobs that the viewer may see: keys, plans, rows, classes of exceptions
 * @param payloads of those, the jobs whose commands the viewer may see
 * @param errors of those that the viewer may see, the jobs of which it may see messages and stacks of exceptions, which
 *     may contain what commands contain
 * @param changes of those that the viewer may see, the jobs that the viewer may change, if the console allows changes; pauses of many jobs and
 *     calendars require the right to see all and to change all
 */
public record Viewer(
        String author, Applications sees, Applications payloads, Applications errors, Applications changes) {
    /** @throws IllegalArgumentException if the author is blank: rows must name an author */
    public Viewer {
        Objects.requireNonNull(sees, "sees");
        Objects.requireNonNull(payloads, "payloads");
        Objects.requireNonNull(errors, "errors");
        Objects.requireNonNull(changes, "changes");
        if (author.isBlank()) {
            throw new IllegalArgumentException("the author of a viewer is blank");
        }
    }

    /** Sees all jobs, without their commands and the messages of exceptions; changes nothing. */
    public static Viewer reader(String author) {
        return new Viewer(author, Applications.ALL, Applications.NONE, Applications.NONE, Applications.NONE);
    }

    /** Sees everything and, if the console allows changes, changes everything. */
    public static Viewer operator(String author) {
        return new Viewer(author, Applications.ALL, Applications.ALL, Applications.ALL, Applications.ALL);
    }
}
