package dev.almanac.console;

/** Nothing has the key or name that was given; the message says what to do. Exit code 3, no stack trace. */
final class NotFoundException extends RuntimeException {
    NotFoundException(String message) {
        super(message);
    }
}
