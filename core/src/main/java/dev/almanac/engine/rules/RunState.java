package dev.almanac.engine.rules;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks the state that a run leaves for the next one: values of JSON types, of bounded size. Pure functions. */
public final class RunState {
    /** The maximum size in a stored document, in bytes. */
    static final int MOST_BYTES = 16 * 1024;

    private static final int DEEPEST = 20;
    private static final int MOST_DIGITS = 34;
    private static final int LARGEST_SCALE = 6_000;

    private RunState() {}

    /**
     * An unmodifiable copy of plain values: text, whole numbers up to 64 bits, doubles and decimals, booleans, lists, maps,
     * null.
     *
     * @throws IllegalArgumentException if a value is of another type or cannot be stored, or if it is too large
     */
    public static Map<String, Object> copyOf(Map<?, ?> given) {
        Map<String, Object> copy = map(given, "state", 1);
        long bytes = PlainValues.size(copy);
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("the state takes " + bytes + " bytes, more than " + MOST_BYTES
                    + "; store large data elsewhere, and a reference to it in the state");
        }
        return copy;
    }

    private static Map<String, Object> map(Map<?, ?> given, String path, int depth) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        given.forEach((key, value) -> copy.put(name(key, path), value(value, path + "." + key, depth)));
        return Collections.unmodifiableMap(copy);
    }

    private static String name(@Nullable Object key, String path) {
        if (!(key instanceof String name)) {
            throw new IllegalArgumentException("a key of '" + path + "' is " + key + ", not a text");
        }
        if (name.isEmpty() || name.startsWith("$") || name.indexOf('.') >= 0 || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the key '" + name + "' of '" + path
                    + "' is empty, begins with $ or holds a dot, which a stored document cannot have");
        }
        return text(name, path);
    }

    private static @Nullable Object value(@Nullable Object value, String path, int depth) {
        if (value == null || value instanceof Boolean) {
            return value;
        }
        if (value instanceof CharSequence text) {
            return text(text.toString(), path);
        }
        if (value instanceof Number number) {
            return number(number, path);
        }
        if (depth >= DEEPEST) {
            throw new IllegalArgumentException("'" + path + "' lies deeper than " + DEEPEST + " levels");
        }
        if (value instanceof Map<?, ?> map) {
            return map(map, path, depth + 1);
        }
        if (value instanceof List<?> items) {
            List<@Nullable Object> copy = new ArrayList<>(items.size());
            items.forEach(item -> copy.add(value(item, path + "[" + copy.size() + "]", depth + 1)));
            return Collections.unmodifiableList(copy);
        }
        throw notPlain(value, path);
    }

    private static String text(String text, String path) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(
                    "'" + path + "' contains half of a surrogate pair, which is no character");
        }
        return text;
    }

    private static Number number(Number number, String path) {
        if (number instanceof Integer || number instanceof Short || number instanceof Byte) {
            return number.intValue();
        }
        if (number instanceof Long) {
            return number;
        }
        if (number instanceof BigInteger whole && whole.bitLength() < Long.SIZE) {
            return whole.longValue();
        }
        boolean fits = number instanceof BigDecimal exact
                && exact.precision() <= MOST_DIGITS
                && Math.abs(exact.scale()) <= LARGEST_SCALE;
        boolean finite = (number instanceof Double || number instanceof Float) && Double.isFinite(number.doubleValue());
        if (!fits && !finite) {
            throw notPlain(number, path);
        }
        return fits ? number : (Number) number.doubleValue();
    }

    private static IllegalArgumentException notPlain(Object value, String path) {
        return new IllegalArgumentException(
                "'" + path + "' is the " + value.getClass().getName() + " " + shown(value)
                        + "; a state is made of text, numbers, booleans, lists, maps and null");
    }

    private static String shown(Object value) {
        String text = String.valueOf(value);
        return text.length() > 40 ? text.substring(0, 39) + "…" : text;
    }
}
