package dev.almanac.engine.rules;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The plain values that bodies of commands and states of runs are made of: their sizes, and copies in the form that stores give back. */
public final class PlainValues {
    /** The bytes of the length that precedes a document or text. */
    private static final int LENGTH = 4;

    private PlainValues() {}

    /** How many bytes a value takes in a stored document. */
    public static long size(@Nullable Object value) {
        if (value instanceof CharSequence text) {
            return LENGTH + bytes(text) + 1;
        }
        if (value instanceof Map<?, ?> map) {
            long size = LENGTH + 1;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                size += field(String.valueOf(entry.getKey()), entry.getValue());
            }
            return size;
        }
        if (value instanceof Collection<?> items) {
            long size = LENGTH + 1;
            int index = 0;
            for (Object item : items) {
                // BSON stores a list as a document whose field names are the positions
                size += field(Integer.toString(index++), item);
            }
            return size;
        }
        return scalar(value);
    }

    private static long field(String name, @Nullable Object value) {
        return 1 + bytes(name) + 1 + size(value);
    }

    private static long scalar(@Nullable Object value) {
        if (value == null) {
            return 0;
        }
        if (value instanceof Boolean) {
            return 1;
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return Integer.BYTES;
        }
        if (value instanceof byte[] bytes) {
            return LENGTH + 1 + bytes.length;
        }
        return value instanceof BigDecimal ? 2 * Long.BYTES : Long.BYTES;
    }

    /**
     * An unmodifiable copy in the form that stores give back: text, whole numbers up to 64 bits, finite doubles, decimals up
     * to 34 digits, booleans, lists, maps with texts as keys, null.
     *
     * @throws IllegalArgumentException if a value is of another type or cannot be stored, with its place
     */
    static Map<String, Object> copyOf(Kind kind, Map<?, ?> given) {
        return kind.map(given, kind.root, 1);
    }

    /** What plain values are for. */
    enum Kind {
        /** Of a command of a service, which names its fields. */
        BODY("body", 60) {
            @Override
            void checkName(String name, String path) {
                if (name.indexOf('\0') >= 0) {
                    throw new IllegalArgumentException("the key '" + shown(name) + "' of '" + path
                            + "' holds a NUL character, which no field can");
                }
            }
        },
        /** What a run leaves for the next one. */
        STATE("state", 20) {
            @Override
            void checkName(String name, String path) {
                if (name.isEmpty() || name.startsWith("$") || name.indexOf('.') >= 0 || name.indexOf('\0') >= 0) {
                    throw new IllegalArgumentException("the key '" + shown(name) + "' of '" + path
                            + "' is empty, begins with $ or holds a dot, which a stored document cannot have");
                }
            }
        };

        private static final int MOST_DIGITS = 34;
        /** Decimals of other scales do not come back as they are. */
        private static final int LEAST_SCALE = -6_111;

        private static final int MOST_SCALE = 6_176;

        private final String root;
        /** The server takes 100 levels, of which the document around the values needs some. */
        private final int deepest;

        Kind(String root, int deepest) {
            this.root = root;
            this.deepest = deepest;
        }

        abstract void checkName(String name, String path);

        private Map<String, Object> map(Map<?, ?> given, String path, int depth) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            given.forEach((key, value) -> copy.put(name(key, path), value(value, path + "." + shown(key), depth)));
            return Collections.unmodifiableMap(copy);
        }

        private String name(@Nullable Object key, String path) {
            if (!(key instanceof String name)) {
                throw new IllegalArgumentException("a key of '" + path + "' is " + shown(key) + ", not a text");
            }
            checkName(name, path);
            return text(name, path);
        }

        private @Nullable Object value(@Nullable Object value, String path, int depth) {
            if (value == null || value instanceof Boolean) {
                return value;
            }
            if (value instanceof CharSequence text) {
                return text(text.toString(), path);
            }
            if (value instanceof Number number) {
                return number(number, path);
            }
            if (depth >= deepest) {
                throw new IllegalArgumentException("'" + path + "' lies deeper than " + deepest + " levels");
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
            if (!isWhole(text)) {
                throw new IllegalArgumentException(
                        "'" + path + "' contains half of a surrogate pair, which is no character");
            }
            return text;
        }

        private Number number(Number number, String path) {
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
                    && exact.scale() >= LEAST_SCALE
                    && exact.scale() <= MOST_SCALE;
            boolean finite =
                    (number instanceof Double || number instanceof Float) && Double.isFinite(number.doubleValue());
            if (!fits && !finite) {
                throw notPlain(number, path);
            }
            return fits ? number : (Number) number.doubleValue();
        }

        private IllegalArgumentException notPlain(Object value, String path) {
            return new IllegalArgumentException(
                    "'" + path + "' is the " + value.getClass().getName() + " " + shown(value) + "; a " + root
                            + " is made of text, numbers, booleans, lists, maps and null");
        }

        /** Short, since a place is made of it for each of the values inside. */
        private static String shown(@Nullable Object value) {
            String text = String.valueOf(value);
            return text.length() > 40 ? text.substring(0, 39) + "…" : text;
        }
    }

    static boolean isWhole(CharSequence text) {
        return text.codePoints()
                .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }

    /** The length in UTF-8, without encoding the text. */
    private static long bytes(CharSequence text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // each surrogate of a pair counts for two of the four bytes
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
