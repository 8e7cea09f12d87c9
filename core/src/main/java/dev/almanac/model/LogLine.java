package dev.almanac.model;

import java.time.Instant;

/**
 * One line of the log of a run.
 *
 * @param at when it was added, by the server's clock, in milliseconds
 * @param text what the helper wrote, at most 500 characters
 */
public record LogLine(Instant at, String text) {
    private static final int LONGEST = 500;

    /** Cuts the text to its limit. */
    public LogLine {
        if (text.length() > LONGEST) {
            text = text.substring(0, LONGEST - 1) + "…";
        }
    }
}
