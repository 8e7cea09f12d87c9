package dev.almanac.console;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Invalid input; the message says what was wrong and what to do. Exit code 2, no stack trace. An IllegalArgumentException
 * of other code ends a command in the same way.
 */
final class InvalidInputException extends RuntimeException {
    InvalidInputException(String message) {
        this(message, null);
    }

    /** @param cause shown with --verbose */
    InvalidInputException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Refuses the input with that message if it is wrong. */
    static void when(boolean wrong, String message) {
        if (wrong) {
            throw new InvalidInputException(message);
        }
    }

    /**
     * A value that is made of input, which is refused with the message of the exception that making it throws.
     *
     * @param before stands before the message
     */
    static <T> T unless(String before, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(before + e.getMessage(), e);
        }
    }
}
