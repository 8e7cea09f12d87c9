package dev.almanac.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pause: the job is not claimed until it is resumed.
 *
 * @param reason why, for people
 * @param author who paused it; empty = the author of the request (see {@code Scheduler.as})
 * @param until when the pause ends by itself; absent = only by a resume
 */
public record Pause(String reason, String author, @Nullable Instant until) {
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");
    private static final int LONGEST_REASON = 1_000;
    private static final int LONGEST_AUTHOR = 256;

    /** A pause by the author of the request. */
    public static Pause because(String reason) {
        return new Pause(reason, "", null);
    }

    /**
     * The same pause; without an author it gets this one, and without a reason that of the request.
     *
     * @throws IllegalArgumentException if the reason has more than 1 000 characters, or the author more than 256
     */
    public Pause by(Actor actor) {
        String why = reason.isEmpty() && actor.reason() != null ? actor.reason() : reason;
        String who = author.isEmpty() ? actor.author() : author;
        limited("reason", why, LONGEST_REASON);
        limited("author", who, LONGEST_AUTHOR);
        return new Pause(why, who, until);
    }

    /** Checked when a pause is made, not when it is read: a pause that was edited by hand stays in force. */
    private static void limited(String what, String text, int longest) {
        if (text.length() > longest) {
            throw new IllegalArgumentException("the " + what + " of a pause has " + text.length()
                    + " characters; it may have at most " + longest + "; nothing was paused");
        }
    }

    /** Whether it has not ended by itself. */
    public boolean isInForce(Instant now) {
        return until == null || until.isAfter(now);
    }

    /** @throws IllegalArgumentException if the end lies after the year 9999: a pause without one is meant */
    public Pause {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(author, "author");
        if (until != null && until.isAfter(LATEST)) {
            throw new IllegalArgumentException("until " + until + " lies after the year 9999; leave it out for no end");
        }
    }
}
