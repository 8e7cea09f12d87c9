package dev.almanac.engine.rules;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Arithmetic on the plain values that a command's body is made of. */
final class PlainValues {
    private static final int OVERHEAD = 8;

    private PlainValues() {}

    /** About how many bytes a value takes in a document. */
    static long size(@Nullable Object value) {
        if (value instanceof CharSequence text) {
            return OVERHEAD + text.length();
        }
        if (value instanceof Map<?, ?> map) {
            long size = OVERHEAD;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                size += size(entry.getKey()) + size(entry.getValue());
            }
            return size;
        }
        if (value instanceof Collection<?> items) {
            return OVERHEAD + items.stream().mapToLong(PlainValues::size).sum();
        }
        return value instanceof byte[] bytes ? OVERHEAD + bytes.length : 2 * OVERHEAD;
    }
}
