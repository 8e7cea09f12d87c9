package dev.almanac.engine.rules;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Arithmetic on the plain values that a command's body is made of. */
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
     * Where a text or a name holds half of a surrogate pair, which is no character: it would be stored as another one.
     * Absent if there is none.
     *
     * @param path of the value, such as {@code body}
     */
    static @Nullable String halfCharacter(String path, @Nullable Object value) {
        if (value instanceof CharSequence text) {
            return isWhole(text) ? null : path;
        }
        if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                String name = String.valueOf(entry.getKey());
                String inside = isWhole(name) ? halfCharacter(path + "." + name, entry.getValue()) : path;
                if (inside != null) {
                    return inside;
                }
            }
        } else if (value instanceof Collection<?> items) {
            int index = 0;
            for (Object item : items) {
                String inside = halfCharacter(path + "[" + index++ + "]", item);
                if (inside != null) {
                    return inside;
                }
            }
        }
        return null;
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
