package dev.almanac.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.retry.RetryPolicy;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Priority and retries of command types; the name of a type with dots is quoted. */
final class TypeDefaultsSection {
    private static final String PRIORITY = "priority";
    private static final String RETRY = "retry";

    private TypeDefaultsSection() {}

    /** All defaults that could be read; problems are collected. */
    static Map<String, TypeDefaults> read(ConfigReader reader) {
        Map<String, TypeDefaults> types = new TreeMap<>();
        ConfigObject section = reader.section(ServiceKeys.TYPE_DEFAULTS);
        if (section != null) {
            section.forEach((type, value) -> {
                String path = ConfigReader.path(ServiceKeys.TYPE_DEFAULTS, type);
                if (value instanceof ConfigObject fields) {
                    types.put(type, read(reader, path, fields));
                } else {
                    reader.problem(path, value, "expected a section in braces with priority and retry");
                }
            });
        }
        return types;
    }

    private static TypeDefaults read(ConfigReader reader, String path, ConfigObject fields) {
        fields.forEach((field, value) -> {
            if (!field.equals(PRIORITY) && !field.equals(RETRY)) {
                reader.unknown(path + "." + field, value, "is not known; known are priority, retry");
            }
        });
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
