package dev.almanac.console.terminal;

import org.jspecify.annotations.Nullable;

/** What was typed is right, and still it could not be done: says why. Exit code 1, no stack trace. */
public final class CommandFailedException extends RuntimeException {
    /** @param cause for those who ask with --verbose */
    public CommandFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
