package dev.almanac.config;

import com.typesafe.config.ConfigUtil;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Names as properties and variables of the environment have them, brought into the form of the known keys. */
final class RelaxedNames {
    private RelaxedNames() {}

    static Map<String, Object> resolved(Map<String, ?> values) {
        return section("", values);
    }

    private static Map<String, Object> section(String prefix, Map<?, ?> values) {
        Map<String, Object> section = new LinkedHashMap<>();
        values.forEach((given, value) -> {
            String name = known(prefix, String.valueOf(given));
            boolean named = prefix.isEmpty()
                    && List.of(ServiceKeys.CALENDARS, ServiceKeys.TYPE_LIMITS, ServiceKeys.TYPE_DEFAULTS)
                            .contains(name);
            section.put(
                    name,
                    value instanceof Map<?, ?> below && !named ? section(prefix + name + ".", below) : plain(value));
        });
        return section;
    }

    /** What the user named stays as it is; what is a list in disguise becomes one. */
    private static Object plain(Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        boolean list =
                !map.isEmpty() && IntStream.range(0, map.size()).allMatch(i -> map.containsKey(String.valueOf(i)));
        if (list) {
            return IntStream.range(0, map.size())
                    .mapToObj(i -> plain(map.get(String.valueOf(i))))
                    .toList();
        }
        Map<String, Object> plain = new LinkedHashMap<>();
        // as one name, also if it is * or has dots
        map.forEach((name, below) -> plain.put(ConfigUtil.joinPath(String.valueOf(name)), plain(below)));
        return plain;
    }

    private static String known(String prefix, String given) {
        List<String> same = KnownKeys.ALL.stream()
                .filter(key -> key.startsWith(prefix))
                .map(key -> key.substring(prefix.length()).split("\\.", 2)[0])
                .filter(name -> bare(name).equals(bare(given)))
                .toList();
        return same.isEmpty() ? given : same.get(0);
    }

    private static String bare(String name) {
        return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }
}
