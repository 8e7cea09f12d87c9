package dev.almanac.model;

import dev.almanac.text.Printable;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A specification was refused; nothing was written. Contains every problem, not only the first (rule M1). */
public final class InvalidJobException extends RuntimeException {
    /** How many problems the message lists; all of them are in {@link #problems()}. */
    private static final int LISTED = 50;

    private final transient List<Problem> problems;

    /** @param problems at least one */
    public InvalidJobException(@Nullable String jobSpecificationKey, List<Problem> problems) {
        super("job '" + Printable.value(jobSpecificationKey) + "' was refused, nothing was written:"
                + problems.stream().limit(LISTED).map(p -> "\n  - " + p).collect(Collectors.joining())
                + (problems.size() > LISTED ? "\n  - and " + (problems.size() - LISTED) + " more" : ""));
        this.problems = List.copyOf(problems);
    }

    /** All problems that were found, in the order of the specification's fields. */
    public List<Problem> problems() {
        return problems;
    }
}
