package dev.almanac.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads values below the prefix and collects their problems. Not thread-safe. */
final class ConfigReader {
    private final ConfigObject root;
    private final List<ConfigProblem> problems = new ArrayList<>();

    /** @param root the section {@code almanac}, resolved */
    ConfigReader(ConfigObject root) {
        this.root = root;
    }

    ConfigObject root() {
        return root;
    }

    /** The value; absent if there is none, or if it is wrong, which is then noted. */
    <T> @Nullable T read(String key, Kind<T> kind) {
        ConfigValue value = at(key);
        return value == null ? null : read(path(key), value, kind);
    }

    <T> @Nullable T read(String path, ConfigValue value, Kind<T> kind) {
        try {
            return kind.reader().read(value);
        } catch (InvalidValueException e) {
            String expected = e.getMessage() == null ? kind.expected() : e.getMessage();
            String shown = kind.secret() ? null : text(value);
            problems.add(new ConfigProblem(path, shown, ValueOrigin.of(value.origin()), expected));
            return null;
        }
    }

    /** Takes what a section says of a name that is the user's. */
    @FunctionalInterface
    interface Named {
        /** @param path quoted where HOCON needs it */
        void read(String name, String path, ConfigValue value);
    }

    /** Each name of a section whose names are the user's. If it is no section, that is noted. */
    void named(String key, Named each) {
        ConfigValue value = at(key);
        if (value instanceof ConfigObject section) {
            named("", path(key), section, each);
        } else if (value != null) {
            problem(path(key), value, "expected a section in braces");
        }
    }

    /**
     * Each name in a section, in order. A name with dots may be quoted or not, so a value in braces may hold longer names:
     * who takes it decides, and calls this again. What is null is absent.
     *
     * @param before what the names begin with: nothing, or a shorter name and a dot
     */
    static void named(String before, String path, ConfigObject section, Named each) {
        new TreeMap<>(section).forEach((part, value) -> {
            if (value.valueType() != ConfigValueType.NULL) {
                each.read(before + part, path + "." + ConfigUtil.joinPath(part), value);
            }
        });
    }

    /** A rule that a value breaks although it is of its kind. */
    void problem(String key, String expected) {
        ConfigValue value = key.isEmpty() ? root : at(key);
        problem(path(key), value == null ? root : value, expected);
    }

    void problem(String path, ConfigValue value, String expected) {
        problems.add(new ConfigProblem(path, text(value), ValueOrigin.of(value.origin()), expected));
    }

    /** Keeps what a section says of a name, which may be written with quotes and without. */
    <T> void put(Map<String, T> named, String name, T said, String path, ConfigValue value) {
        if (named.putIfAbsent(name, said) != null) {
            problem(path, value, "is given twice, in quotes and without; write it once");
        }
    }

    /** An unknown key; its value may be a secret. */
    void unknown(String path, ConfigValue value, String expected) {
        problems.add(new ConfigProblem(path, null, ValueOrigin.of(value.origin()), expected));
    }

    boolean hasProblem(String key) {
        return problems.stream().anyMatch(problem -> problem.path().equals(path(key)));
    }

    List<ConfigProblem> problems() {
        return problems;
    }

    static String path(String key) {
        return key.isEmpty() ? AlmanacConfig.PREFIX : AlmanacConfig.PREFIX + "." + key;
    }

    private @Nullable ConfigValue at(String key) {
        ConfigValue value = root;
        for (String name : key.split("\\.")) {
            value = value instanceof Map<?, ?> section ? (ConfigValue) section.get(name) : null;
        }
        return value == null || value.valueType() == ConfigValueType.NULL ? null : value;
    }

    private static @Nullable String text(ConfigValue value) {
        boolean section = value.valueType() == ConfigValueType.OBJECT;
        return section ? null : String.valueOf(Kinds.written(value));
    }
}
