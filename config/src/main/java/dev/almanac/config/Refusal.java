package dev.almanac.config;

/** A value is not of its kind; the kind says what was expected. */
final class Refusal extends Exception {
    Refusal() {
        super(null, null, false, false);
    }
}
