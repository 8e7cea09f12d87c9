package dev.almanac.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Refuses unknown keys, with the most similar known one. */
final class KnownKeys {
    private static final Set<String> OPEN =
            Set.of(ServiceKeys.CALENDARS, ServiceKeys.TYPE_LIMITS, ServiceKeys.TYPE_DEFAULTS);
    static final List<String> ALL = Stream.of(
                    SchedulerKeys.ALL.stream().map(Setting::key),
                    ServiceKeys.ALL.stream().map(Setting::key),
                    OPEN.stream())
            .flatMap(keys -> keys)
            .sorted()
            .toList();

    private final ConfigReader reader;

    private KnownKeys(ConfigReader reader) {
        this.reader = reader;
    }

    /** The same reader, with a problem for each unknown key. */
    static ConfigReader checked(ConfigReader reader) {
        new KnownKeys(reader).walk("", reader.root());
        return reader;
    }

    private void walk(String prefix, ConfigObject section) {
        new TreeMap<>(section).forEach((name, value) -> {
            String key = prefix + ConfigUtil.joinPath(name);
            if (!ALL.contains(key)) {
                below(key, value);
            }
        });
    }

    private void below(String key, ConfigValue value) {
        boolean section = ALL.stream().anyMatch(known -> known.startsWith(key + "."));
        if (value instanceof ConfigObject object && (section || !object.isEmpty())) {
            walk(key + ".", object);
        } else if (section) {
            reader.problem(ConfigReader.path(key), value, "expected a section in braces");
        } else {
            reader.unknown(hidden(ConfigReader.path(key)), value, "is not known; " + advice(key));
        }
    }

    private static String advice(String key) {
        return NearestKey.nearest(key, ALL)
                .map(near -> "did you mean " + ConfigReader.path(near) + "?")
                .orElseGet(() -> "known are " + String.join(", ", sisters(key)));
    }

    /** What is known in the same section; everything, if the section itself is not known. */
    private static List<String> sisters(String key) {
        String section = key.substring(0, key.lastIndexOf('.') + 1);
        List<String> sisters = new ArrayList<>(ALL);
        sisters.removeIf(known -> !known.startsWith(section));
        return sisters.isEmpty() ? ALL : sisters;
    }

    /** A connection string that was written where a key belongs is not repeated. */
    private static String hidden(String path) {
        return path.contains("//") || path.contains("@") ? AlmanacConfig.PREFIX + ".…" : path;
    }
}
