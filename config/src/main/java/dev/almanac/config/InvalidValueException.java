package dev.almanac.config;

/** A value is not of its kind; the expected form is given here or by the kind. */
final class InvalidValueException extends Exception {
    InvalidValueException() {
        super(null, null, false, false);
    }

    /** @param expected replaces the description of the kind; holds nothing of the value */
    InvalidValueException(String expected) {
        super(expected, null, false, false);
    }
}
