package dev.almanac.console.terminal;

import org.jspecify.annotations.Nullable;

/** What was typed is right, and still it could not be done: says why. Exit code 1, no stack trace. */
public final class NotDone extends RuntimeException {
    /** @param cause for those who ask with --verbose */
    public NotDone(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
