package dev.almanac.testkit.memory;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.SchedulingCommand;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the command object itself; refuses commands that are too large for a document, as far as their size can be
 * determined.
 */
final class ReferenceCodec implements CommandCodec {
    private static final String COMMAND = "command";
    private static final long LARGEST = 1 << 20;
    private static final int DEEPEST = 60;

    @Override
    public Map<String, Object> encode(SchedulingCommand command) {
        long size = size(command, DEEPEST);
        if (size > LARGEST) {
            throw new IllegalArgumentException("has a body of about " + size + " bytes, more than " + LARGEST
                    + "; store it elsewhere and schedule its id");
        }
        return Map.of(COMMAND, command);
    }

    @Override
    public <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type) {
        Object command = body.get(COMMAND);
        if (!type.isInstance(command)) {
            throw new IllegalArgumentException("the body holds no " + type.getName());
        }
        return type.cast(command);
    }

    /** The size of texts, bytes, records and collections; other objects count as 8 bytes. */
    private static long size(@Nullable Object value, int depth) {
        if (depth == 0) {
            throw new IllegalArgumentException("cannot be encoded: is nested deeper than " + DEEPEST + " levels");
        }
        if (value instanceof CharSequence text) {
            if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
                throw new IllegalArgumentException("has a text with half of a surrogate pair, which is no character");
            }
            return text.length();
        }
        if (value instanceof byte[] bytes) {
            return bytes.length;
        }
        if (value instanceof Collection<?> items) {
            return items.stream().mapToLong(item -> 4 + size(item, depth - 1)).sum();
        }
        if (value instanceof Map<?, ?> map) {
            return size(map.keySet(), depth) + size(map.values(), depth);
        }
        return value instanceof Record record ? sizeOf(record, depth) : Long.BYTES;
    }

    private static long sizeOf(Record record, int depth) {
        long size = 0;
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            size += component.getName().length();
            if (component.getAccessor().trySetAccessible()) {
                size += size(value(component, record), depth - 1);
            }
        }
        return size;
    }

    private static @Nullable Object value(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException | RuntimeException unreadable) {
            return null;
        }
    }
}
