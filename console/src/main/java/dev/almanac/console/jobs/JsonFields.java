package dev.almanac.console.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the fields of an answer in JSON; what is absent or empty is left out. */
final class JsonFields {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    JsonFields with(String name, @Nullable Object value) {
        if (value == null || value instanceof Collection<?> items && items.isEmpty()) {
            return this;
        }
        boolean plain = value instanceof Number
                || value instanceof Boolean
                || value instanceof Map<?, ?>
                || value instanceof Collection<?>;
        fields.put(name, plain ? value : text(value));
        return this;
    }

    /** Only if it is so. */
    JsonFields flag(String name, boolean value) {
        return with(name, value ? true : null);
    }

    Map<String, Object> fields() {
        return fields;
    }

    private static Object text(Object value) {
        if (value instanceof Instant || value instanceof Duration) {
            return value.toString();
        }
        return value instanceof Enum<?> word ? word.name() : value.toString();
    }
}
