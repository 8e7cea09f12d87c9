package dev.almanac.console;

enum Color {
    PLAIN(""),
    BOLD("1"),
    GREEN("32"),
    YELLOW("33"),
    RED("31");

    private final String code;

    Color(String code) {
        this.code = code;
    }

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
