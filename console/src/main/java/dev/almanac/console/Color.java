package dev.almanac.console;

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

    private final String code;

    Color(String code) {
        this.code = code;
    }

    /** The colour of a state. */
    static Color ofWord(String word) {
        return switch (word) {
            case "FAILED", "DOWN", "BLOCKED", "RETRIES_EXHAUSTED", "NON_RETRYABLE" -> RED;
            case "CRASHED", "ABANDONED", "FAILURE_UNDELIVERED" -> RED;
            case "DEGRADED", "PAUSED", "CANCELED", "RETRYING", "OWING", "RECOVERING" -> YELLOW;
            case "ATTEMPT_FAILED", "MISSED", "EXPIRED", "silent" -> YELLOW;
            case "UP", "CLAIMED", "RUNNING", "SUCCEEDED", "TRIGGERED" -> GREEN;
            default -> PLAIN;
        };
    }

    String on(String text, boolean colours) {
        return !colours || this == PLAIN || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
