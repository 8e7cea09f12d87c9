package dev.almanac.config;

/** A value is not of its kind; the kind says what was expected, or this does. */
final class InvalidValueException extends Exception {
    InvalidValueException() {
        super(null, null, false, false);
    }

    /** @param expected in place of what the kind says; holds nothing of the value */
    InvalidValueException(String expected) {
        super(expected, null, false, false);
    }
}
