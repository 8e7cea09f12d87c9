package dev.almanac.config;

import com.typesafe.config.ConfigValue;

/**
 * The kind of a key's value.
 *
 * @param <T> what it is read into
 * @param unit one word for the documentation, such as {@code duration}
 * @param range what is allowed, for the documentation and for messages
 * @param secret whether a wrong value may hold a secret and must not be shown
 * @param reader reads it
 */
record Kind<T>(String unit, String range, boolean secret, Reader<T> reader) {
    /** Reads a value that is there. */
    @FunctionalInterface
    interface Reader<T> {
        /** @throws InvalidValueException if the value is not of the kind or out of range */
        T read(ConfigValue value) throws InvalidValueException;
    }

    Kind(String unit, String range, Reader<T> reader) {
        this(unit, range, false, reader);
    }

    String expected() {
        return "expected " + article() + ", " + range;
    }

    private String article() {
        return switch (unit) {
            case "duration" -> "a duration with its unit, such as 500 ms, 20 s, 5 m, 7 d or PT20S";
            case "number" -> "a number";
            case "integer" -> "a whole number";
            case "switch" -> "on or off";
            case "zone" -> "a zone";
            default -> "a text";
        };
    }
}
