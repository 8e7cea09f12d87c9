package dev.almanac.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.retry.RetryPolicy;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Priority and retries of command types; a name with dots may be quoted or not. */
final class TypeDefaultsSection {
    private static final String PRIORITY = "priority";
    private static final String RETRY = "retry";

    private TypeDefaultsSection() {}

    /** All defaults that could be read; problems are collected. */
    static Map<String, TypeDefaults> read(ConfigReader reader) {
        Map<String, TypeDefaults> types = new TreeMap<>();
        reader.named(ServiceKeys.TYPE_DEFAULTS, (type, path, value) -> {
            if (value instanceof ConfigObject fields) {
                read(reader, type, path, fields, types);
            } else {
                reader.problem(path, value, "expected a section in braces with priority and retry");
            }
        });
        return types;
    }

    /** Reads the fields of a type; a section among them is a type whose name is longer. */
    private static void read(
            ConfigReader reader, String type, String path, ConfigObject section, Map<String, TypeDefaults> types) {
        if (section.isEmpty() || section.containsKey(PRIORITY) || section.containsKey(RETRY)) {
            reader.put(types, type, read(reader, path, section), path, section);
        }
        ConfigObject others = section.withoutKey(PRIORITY).withoutKey(RETRY);
        ConfigReader.named(type + ".", path, others, (longer, place, value) -> {
            if (value instanceof ConfigObject fields) {
                read(reader, longer, place, fields, types);
            } else {
                reader.unknown(place, value, "is not known; known are priority, retry");
            }
        });
    }

    private static TypeDefaults read(ConfigReader reader, String path, ConfigObject fields) {
        ConfigValue priority = given(fields, PRIORITY);
        Integer read =
                priority == null ? null : reader.read(path + "." + PRIORITY, priority, ServiceKeys.TYPE_PRIORITY);
        return new TypeDefaults(read, retry(reader, path + "." + RETRY, given(fields, RETRY)));
    }

    /** Null in a file means absent. */
    private static @Nullable ConfigValue given(ConfigObject fields, String field) {
        ConfigValue value = fields.get(field);
        return value == null || value.valueType() == ConfigValueType.NULL ? null : value;
    }

    private static @Nullable RetryPolicy retry(ConfigReader reader, String path, @Nullable ConfigValue value) {
        try {
            return value == null ? null : RetryPolicy.parse(String.valueOf(Kinds.written(value)));
        } catch (IllegalArgumentException e) {
            reader.problem(path, value, String.valueOf(e.getMessage()));
            return null;
        }
    }
}
