package dev.almanac.engine.rules;

import java.util.Map;

/** Checks the state that a run leaves for the next one: values of JSON types, of bounded size. Pure functions. */
public final class RunState {
    /** The maximum size in a stored document, in bytes. */
    static final int MOST_BYTES = 16 * 1024;

    private RunState() {}

    /**
     * An unmodifiable copy of plain values: text, whole numbers up to 64 bits, doubles and decimals, booleans, lists, maps,
     * null.
     *
     * @throws IllegalArgumentException if a value is of another type or cannot be stored, or if it is too large
     */
    public static Map<String, Object> copyOf(Map<?, ?> given) {
        Map<String, Object> copy = PlainValues.copyOf(PlainValues.Kind.STATE, given);
        long bytes = PlainValues.size(copy);
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("the state takes " + bytes + " bytes, more than " + MOST_BYTES
                    + "; store large data elsewhere, and a reference to it in the state");
        }
        return copy;
    }
}
