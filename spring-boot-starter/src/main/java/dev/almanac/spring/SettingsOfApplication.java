package dev.almanac.spring;

import dev.almanac.config.AlmanacConfig;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
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
 * The settings among the properties of an application. A property that is not known is refused, unless it belongs to the
 * process: its environment and its system properties are shared with others, such as {@code ALMANAC_URI} of the command
 * line.
 */
final class SettingsOfApplication {
    private static final List<ConfigurationPropertyName> KNOWN = AlmanacConfig.keys().stream()
            .map(key -> ConfigurationPropertyName.of(AlmanacConfig.PREFIX + "." + key))
            .toList();

    private static final Set<String> PROCESS = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    private SettingsOfApplication() {}

    static AlmanacConfig read(Environment environment) {
        List<ConfigurationPropertySource> sources = StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .map(source -> isOfProcess(source) ? source.filter(SettingsOfApplication::isKnown) : source)
                .toList();
        Map<String, Object> values = new Binder(sources, new PropertySourcesPlaceholdersResolver(environment))
                .bind(AlmanacConfig.PREFIX, Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of());
        return AlmanacConfig.read(values, "properties of the application");
    }

    private static boolean isOfProcess(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && PROCESS.contains(underlying.getName());
    }

    private static boolean isKnown(ConfigurationPropertyName name) {
        return KNOWN.stream().anyMatch(known -> known.equals(name) || known.isAncestorOf(name));
    }
}
