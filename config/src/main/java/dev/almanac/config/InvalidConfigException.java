package dev.almanac.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration was refused. Holds every problem of it, not only the first. No message holds a connection string. */
public final class InvalidConfigException extends IllegalArgumentException {
    private final transient List<ConfigProblem> problems;

    InvalidConfigException(List<ConfigProblem> problems) {
        super(message(problems));
        this.problems = List.copyOf(problems);
    }

    /** At least one. */
    public List<ConfigProblem> problems() {
        return problems;
    }

    private static String message(List<ConfigProblem> problems) {
        String head = problems.size() == 1
                ? "the configuration has a problem:"
                : "the configuration has " + problems.size() + " problems:";
        return problems.stream()
                .map(problem -> System.lineSeparator() + "  " + problem)
                .collect(Collectors.joining("", head, ""));
    }
}
