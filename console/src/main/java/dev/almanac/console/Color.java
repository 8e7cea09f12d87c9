package dev.almanac.console;

import java.util.Set;

/** The colours of the output. */
enum Color {
    /** As it is. */
    PLAIN(""),
    /** Heads. */
    BOLD("1"),
    /** What is well. */
    GREEN("32"),
    /** What should be looked at. */
    YELLOW("33"),
    /** What has failed. */
    RED("31");

    private static final Set<String> BAD = Set.of(
            "FAILED",
            "DOWN",
            "BLOCKED",
            "RETRIES_EXHAUSTED",
            "NON_RETRYABLE",
            "CRASHED",
            "ABANDONED",
            "FAILURE_UNDELIVERED");
    private static final Set<String> DOUBTFUL = Set.of(
            "DEGRADED",
            "PAUSED",
            "CANCELED",
            "RETRYING",
            "OWING",
            "RECOVERING",
            "ATTEMPT_FAILED",
            "MISSED",
            "EXPIRED",
            "silent");
    private static final Set<String> GOOD = Set.of("UP", "CLAIMED", "RUNNING", "SUCCEEDED", "TRIGGERED");

    private final String code;

    Color(String code) {
        this.code = code;
    }

    /** The colour of a state. */
    static Color ofWord(String word) {
        if (BAD.contains(word)) {
            return RED;
        }
        if (DOUBTFUL.contains(word)) {
            return YELLOW;
        }
        return GOOD.contains(word) ? GREEN : PLAIN;
    }

    String on(String text, boolean colours) {
        return !colours || this == PLAIN || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
