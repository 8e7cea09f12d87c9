package dev.almanac.spring;

import dev.almanac.config.AlmanacConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
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
        List<ConfigurationPropertySource> sources = StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .map(source -> isOfProcess(source) ? source.filter(SettingsOfApplication::isKnown) : source)
                .toList();
        Binder binder = new Binder(sources, new PropertySourcesPlaceholdersResolver(environment));
        ConfigurationPropertyName prefix = ConfigurationPropertyName.of(AlmanacConfig.PREFIX);
        Map<String, Object> values = binder.bind(prefix, Bindable.mapOf(String.class, Object.class))
                .map(all -> withWholeLists(binder, prefix, all))
                .orElse(Map.of());
        String database = text(binder, "almanac.store.uri") == null && text(binder, "almanac.store.database") == null
                ? databaseOfData(binder)
                : null;
        return AlmanacConfig.read(
                database == null ? values : withDatabase(values, database), "properties of the application");
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

    private static Map<String, Object> withDatabase(Map<String, Object> values, String database) {
        Map<String, Object> store = new HashMap<>();
        if (values.get("store") instanceof Map<?, ?> given) {
            given.forEach((key, value) -> store.put(String.valueOf(key), value));
        }
        store.put("database", database);
        Map<String, Object> all = new HashMap<>(values);
        all.put("store", store);
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
