package dev.almanac.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.Map;
import java.util.TreeMap;

/** Limits per command type; a name with dots may be quoted or not. */
final class TypeLimits {
    private TypeLimits() {}

    static Map<String, Integer> read(ConfigReader reader) {
        Map<String, Integer> limits = new TreeMap<>();
        reader.named(ServiceKeys.TYPE_LIMITS, (type, path, value) -> read(reader, type, path, value, limits));
        return limits;
    }

    /** Reads the limit of that type, or those of the types whose names are longer; braces without any are no number. */
    private static void read(
            ConfigReader reader, String type, String path, ConfigValue value, Map<String, Integer> limits) {
        if (value instanceof ConfigObject section && !section.isEmpty()) {
            ConfigReader.named(
                    type + ".", path, section, (longer, place, below) -> read(reader, longer, place, below, limits));
            return;
        }
        Integer limit = reader.read(path, value, ServiceKeys.TYPE_LIMIT);
        if (limit != null) {
            reader.put(limits, type, limit, path, value);
        }
    }
}
