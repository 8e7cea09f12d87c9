package dev.almanac.console.terminal;

/** Nothing has the key or name that was given; the message says what to do. Exit code 3, no stack trace. */
public final class NotFoundException extends RuntimeException {
    /** @param message what was not found, and where to look */
    public NotFoundException(String message) {
        super(message);
    }
}
