package dev.almanac.model;

import java.time.Instant;

/**
 * The progress of a run, as its helper reported last.
 *
 * @param done how much is done, in a unit of the helper; 0 or more
 * @param total how much there is in all; 0 = not known
 * @param message a sentence for people, at most 200 characters; may be empty
 * @param at when it was reported, by the server's clock
 */
public record Progress(long done, long total, String message, Instant at) {
    private static final int LONGEST = 200;

    /**
     * Cuts the message to its limit.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public Progress {
        if (done < 0 || total < 0) {
            throw new IllegalArgumentException("progress " + done + " of " + total + ": neither may be negative");
        }
        if (message.length() > LONGEST) {
            message = message.substring(0, LONGEST - 1) + "…";
        }
    }

    /** For people, such as {@code 30 of 100: reading}. */
    public String text() {
        String count = total == 0 ? (done == 0 ? "" : Long.toString(done)) : done + " of " + total;
        return count.isEmpty() || message.isEmpty() ? count + message : count + ": " + message;
    }
}
