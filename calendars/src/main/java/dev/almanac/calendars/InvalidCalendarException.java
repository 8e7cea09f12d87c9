package dev.almanac.calendars;

import dev.almanac.model.Problem;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A calendar was refused. Holds every problem of it, not only the first; each names field, value and reason. Beyond 50,
 * problems are counted and no longer listed.
 */
public final class InvalidCalendarException extends IllegalArgumentException {
    private final transient List<Problem> problems;

    InvalidCalendarException(String field, @Nullable String value, String reason) {
        this(List.of(new Problem(field, value, "C2", reason)));
    }

    /** @param problems at least one */
    InvalidCalendarException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** The field of the first problem, as configuration names it. */
    public String field() {
        return problems.get(0).field();
    }

    /** All problems that were found, in the order in which they were found. */
    public List<Problem> problems() {
        return problems;
    }
}
