package dev.almanac.model;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A specification was refused; nothing was written. Holds every problem of it, not only the first (rule M1). */
public final class InvalidJobException extends RuntimeException {
    private final transient List<Problem> problems;

    /** @param problems at least one */
    public InvalidJobException(@Nullable String jobSpecificationKey, List<Problem> problems) {
        super("job '" + jobSpecificationKey + "' was refused, nothing was written:"
                + problems.stream().map(p -> "\n  - " + p).collect(Collectors.joining()));
        this.problems = List.copyOf(problems);
    }

    /** All problems that were found, in the order of the specification's fields. */
    public List<Problem> problems() {
        return problems;
    }
}
