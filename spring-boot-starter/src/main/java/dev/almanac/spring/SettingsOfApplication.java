package dev.almanac.spring;

import dev.almanac.config.AlmanacConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The settings among the properties of an application. Jobs are stored in the database of its data, unless a setting
 * names another one. A property that is not known is refused, unless it belongs to the
 * process: its environment and its system properties are shared with others, such as {@code ALMANAC_URI} of the command
 * line.
 */
final class SettingsOfApplication {
    private static final List<ConfigurationPropertyName> KNOWN = names(AlmanacConfig.keys());

    /** The sections whose names are the user's. */
    private static final List<ConfigurationPropertyName> NAMED =
            names(List.of("calendars", "type-limits", "type-defaults"));

    private static final Bindable<Map<String, Object>> MAP = Bindable.mapOf(String.class, Object.class);

    private static final Set<String> PROCESS = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    private SettingsOfApplication() {}

    private static List<ConfigurationPropertyName> names(List<String> keys) {
        return keys.stream()
                .map(key -> ConfigurationPropertyName.of(AlmanacConfig.PREFIX + "." + key))
                .toList();
    }

    static AlmanacConfig read(Environment environment) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        ConfigurationPropertySources.get(environment).forEach(sources::add);
        PropertySourcesPlaceholdersResolver placeholders = new PropertySourcesPlaceholdersResolver(environment);
        Binder binder = new Binder(sources, placeholders);
        Binder others = new Binder(
                sources.stream()
                        .filter(source -> !isOfProcess(source))
                        .map(source -> source.filter(name -> !isKnown(name)))
                        .toList(),
                placeholders);
        Map<String, Object> values = others.bind(ConfigurationPropertyName.of(AlmanacConfig.PREFIX), MAP)
                .orElse(Map.of());
        // each by its own name: in a map of all, ALMANAC_DRAIN_TIMEOUT is drain.timeout
        for (String key : AlmanacConfig.keys()) {
            Object value = value(binder, ConfigurationPropertyName.of(AlmanacConfig.PREFIX + "." + key));
            values = value == null ? values : with(values, key, value);
        }
        String database = text(binder, "almanac.store.uri") == null && text(binder, "almanac.store.database") == null
                ? databaseOfData(binder)
                : null;
        return AlmanacConfig.read(
                database == null ? values : with(values, "store.database", database), "properties of the application");
    }

    private static @Nullable Object value(Binder binder, ConfigurationPropertyName setting) {
        Object value = binder.bind(setting, Bindable.of(Object.class)).orElse(null);
        return value == null && NAMED.contains(setting)
                ? binder.bind(setting, MAP)
                        .map(all -> withWholeLists(binder, setting, all))
                        .orElse(null)
                : value;
    }

    /** Each list as one source has it. Bound as a map, a shorter list would keep the end of the longer one that it replaces. */
    private static Map<String, Object> withWholeLists(
            Binder binder, ConfigurationPropertyName prefix, Map<?, ?> values) {
        Map<String, Object> whole = new HashMap<>();
        values.forEach((given, value) -> {
            String key = String.valueOf(given);
            if (!(value instanceof Map<?, ?> below)) {
                whole.put(key, value);
                return;
            }
            ConfigurationPropertyName name = key.matches("[A-Za-z0-9_-]+")
                    ? prefix.append(ConfigurationPropertyName.adapt(key, '.'))
                    : prefix.append("[" + key + "]");
            boolean texts = below.values().stream().noneMatch(Map.class::isInstance);
            List<String> list = texts && below.containsKey("0")
                    ? binder.bind(name, Bindable.listOf(String.class)).orElse(List.of())
                    : List.of();
            whole.put(key, list.isEmpty() ? withWholeLists(binder, name, below) : list);
        });
        return whole;
    }

    /** Where the application keeps its data; absent if Spring's properties do not say. */
    private static @Nullable String databaseOfData(Binder binder) {
        String database = text(binder, "spring.mongodb.database");
        String uri = text(binder, "spring.mongodb.uri");
        return database == null && uri != null ? AlmanacConfig.databaseOf(uri) : database;
    }

    private static @Nullable String text(Binder binder, String name) {
        return binder.bind(name, String.class).orElse(null);
    }

    /** The section and one value. An unknown property of the same name stays and is refused. */
    private static Map<String, Object> with(Map<?, ?> section, String key, Object value) {
        Map<String, Object> all = new HashMap<>();
        section.forEach((name, given) -> all.put(String.valueOf(name), given));
        String[] parts = key.split("\\.", 2);
        ConfigurationPropertyName first = ConfigurationPropertyName.of(parts[0]);
        String name = all.keySet().stream()
                .filter(given -> ConfigurationPropertyName.adapt(given, '.').equals(first))
                .findFirst()
                .orElse(parts[0]);
        if (parts.length == 1) {
            all.putIfAbsent(name, value);
        } else if (all.getOrDefault(name, Map.of()) instanceof Map<?, ?> below) {
            all.put(name, with(below, parts[1], value));
        }
        return all;
    }

    private static boolean isOfProcess(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && PROCESS.contains(underlying.getName());
    }

    private static boolean isKnown(ConfigurationPropertyName name) {
        return KNOWN.contains(name) || NAMED.stream().anyMatch(section -> section.isAncestorOf(name));
    }
}
