package dev.almanac.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import java.util.Map;
import java.util.TreeMap;

/** Limits per command type; a name with dots may be quoted or not. */
final class TypeLimits {
    private TypeLimits() {}

    static Map<String, Integer> read(ConfigReader reader) {
        Map<String, Integer> limits = new TreeMap<>();
        ConfigObject section = reader.section(ServiceKeys.TYPE_LIMITS);
        if (section != null) {
            section.toConfig().entrySet().forEach(entry -> {
                String type = String.join(".", ConfigUtil.splitPath(entry.getKey()));
                String path = ConfigReader.path(ServiceKeys.TYPE_LIMITS) + "." + entry.getKey();
                Integer limit = reader.read(path, entry.getValue(), ServiceKeys.TYPE_LIMIT);
                if (limit != null) {
                    reader.put(limits, type, limit, path, entry.getValue());
                }
            });
        }
        return limits;
    }
}
