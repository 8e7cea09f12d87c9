package dev.almanac.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who requests a change, and why. Stored on the status rows of the request.
 *
 * @param author a person, a service or a program, as people will recognise it; 1 to 256 characters
 * @param reason why, such as the number of a ticket, at most 1 000 characters; absent = not given
 */
public record Actor(String author, @Nullable String reason) {
    /** The author of requests of a service that has no name. */
    public static final String UNKNOWN = "unknown";

    private static final int LONGEST_AUTHOR = 256;
    private static final int LONGEST_REASON = 1_000;

    /** @throws IllegalArgumentException if the author is blank, or one of the two is too long or has control characters */
    public Actor {
        Objects.requireNonNull(author, "author");
        if (author.isBlank()) {
            throw new IllegalArgumentException("the author of a request is empty; say who asks for it");
        }
        limited("author", author, LONGEST_AUTHOR);
        if (reason != null) {
            limited("reason", reason, LONGEST_REASON);
        }
    }

    /** The same author with another reason, which is shortened if it is too long. */
    public Actor because(String why) {
        return new Actor(author, fitted(why, LONGEST_REASON));
    }

    /** An actor made of any texts: shortened if too long, without control characters. */
    public static Actor named(String author, @Nullable String reason) {
        String name = fitted(author, LONGEST_AUTHOR);
        return new Actor(name.isBlank() ? UNKNOWN : name, reason == null ? null : fitted(reason, LONGEST_REASON));
    }

    private static String fitted(String text, int longest) {
        String plain = text.replaceAll("\\p{Cntrl}", " ");
        return plain.length() <= longest ? plain : plain.substring(0, longest);
    }

    private static void limited(String what, String text, int longest) {
        if (text.length() > longest || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the " + what + " of a request has " + text.length()
                    + " characters; it may have at most " + longest + ", and no control characters");
        }
    }

    @Override
    public String toString() {
        return reason == null || reason.isEmpty() ? author : author + " (" + reason + ")";
    }
}
