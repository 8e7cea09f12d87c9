package dev.almanac.console;

import org.jspecify.annotations.Nullable;

/** The input is valid, but the command failed; the message says why. Exit code 1, no stack trace. */
final class CommandFailedException extends RuntimeException {
    CommandFailedException(String message) {
        this(message, null);
    }

    /** @param cause shown with --verbose */
    CommandFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
