package dev.almanac.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pause: nothing starts from its beginning to its end, both cut to milliseconds, as they are stored. Runs in progress
 * continue.
 *
 * @param reason why, for people
 * @param author who paused it; empty = the author of the request (see {@code Scheduler.as})
 * @param from when it begins, the first moment at which nothing starts; absent = at once
 * @param until when it ends by itself, the first moment at which jobs start again; absent = only by a resume
 */
public record Pause(
        String reason,
        String author,
        @Nullable Instant from,
        @Nullable Instant until) {
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");
    private static final int LONGEST_REASON = 1_000;
    private static final int LONGEST_AUTHOR = 256;

    /** A pause that begins at once. */
    public Pause(String reason, String author, @Nullable Instant until) {
        this(reason, author, null, until);
    }

    /** A pause by the author of the request that begins at once and has no end. */
    public static Pause because(String reason) {
        return new Pause(reason, "", null, null);
    }

    /** The same pause, planned: it begins then. */
    public Pause from(Instant begin) {
        return new Pause(reason, author, Objects.requireNonNull(begin, "begin"), until);
    }

    /** The same pause, which ends then by itself. */
    public Pause until(Instant end) {
        return new Pause(reason, author, from, Objects.requireNonNull(end, "end"));
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
        return new Pause(why, who, from, until);
    }

    /** Checked when a pause is made, not when it is read: a pause that was edited by hand stays in force. */
    private static void limited(String what, String text, int longest) {
        if (text.length() > longest) {
            throw new IllegalArgumentException("the " + what + " of a pause has " + text.length()
                    + " characters; it may have at most " + longest + "; nothing was paused");
        }
    }

    /** Whether it has begun and has not ended by itself. */
    public boolean isInForce(Instant now) {
        return !isPlanned(now) && !hasEnded(now);
    }

    /** Whether it begins later. */
    public boolean isPlanned(Instant now) {
        return from != null && from.isAfter(now);
    }

    /** Whether it has ended by itself. */
    public boolean hasEnded(Instant now) {
        return until != null && !until.isAfter(now);
    }

    /**
     * @throws IllegalArgumentException if the end is not after the beginning, or lies after the year 9999: a pause without
     *     one is meant
     */
    public Pause {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(author, "author");
        if (until != null && until.isAfter(LATEST)) {
            throw new IllegalArgumentException("until " + until + " lies after the year 9999; leave it out for no end");
        }
        if (from != null && from.isAfter(LATEST)) {
            throw new IllegalArgumentException("from " + from + " lies after the year 9999; such a pause never begins");
        }
        from = from == null ? null : from.truncatedTo(ChronoUnit.MILLIS);
        until = until == null ? null : until.truncatedTo(ChronoUnit.MILLIS);
        if (from != null && until != null && !until.isAfter(from)) {
            throw new IllegalArgumentException("a pause from " + from + " until " + until
                    + " holds nothing: its end must be later" + " than its beginning");
        }
    }
}
