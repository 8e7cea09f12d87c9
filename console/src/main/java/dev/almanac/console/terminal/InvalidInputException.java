package dev.almanac.console.terminal;

/** Invalid input; the message says what was wrong and what to do. Exit code 2, no stack trace. */
public final class InvalidInputException extends RuntimeException {
    /** @param message what was wrong, and what to write instead */
    public InvalidInputException(String message) {
        super(message);
    }

    /** @param cause shown with --verbose */
    public InvalidInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
