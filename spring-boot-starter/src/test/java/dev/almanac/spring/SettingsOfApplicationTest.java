package dev.almanac.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.config.InvalidConfigException;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.time.ExclusionCalendar;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class SettingsOfApplicationTest {
    @Test
    @DisplayName("variables of the environment are settings too; those that are none are left to others")
    void environment() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of(
                                        "ALMANAC_MAXCONCURRENTRUNS", "7",
                                        "ALMANAC_TYPELIMITS_LETTER", "3",
                                        "ALMANAC_STORE_DATABASE", "books",
                                        "ALMANAC_RELEASE_NAME", "prod",
                                        "ALMANAC_ZONE_ID", "3",
                                        "ALMANAC_URI", "mongodb://ann:secret@host")));
        ConfigurationPropertySources.attach(environment);
        AlmanacConfig config = SettingsOfApplication.read(environment);
        assertThat(config.settings().maxConcurrentRuns()).isEqualTo(7);
        assertThat(config.typeLimits()).containsExactly(Map.entry("letter", 3));
        assertThat(config.store().database()).isEqualTo("books");
        assertThat(config.uri()).isNull();
    }

    private static AlmanacConfig settings(Map<String, Object> variables, Map<String, Object> application) {
        StandardEnvironment environment = new StandardEnvironment();
        String process = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        environment.getPropertySources().replace(process, new SystemEnvironmentPropertySource(process, variables));
        environment.getPropertySources().addLast(new MapPropertySource("application", application));
        ConfigurationPropertySources.attach(environment);
        return SettingsOfApplication.read(environment);
    }

    static Stream<String> settings() {
        return AlmanacConfig.keys().stream();
    }

    @ParameterizedTest
    @MethodSource("settings")
    @DisplayName("each setting is read from the environment, with underscores for dashes and without")
    void variables(String key) {
        String variable = "ALMANAC_" + key.toUpperCase(Locale.ROOT).replace('.', '_');
        for (String name : List.of(variable.replace("-", ""), variable.replace('-', '_'))) {
            assertThatThrownBy(() -> settings(Map.of(name, "\u0001"), Map.of()))
                    .as("what no setting may be, in %s", name)
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("almanac." + key);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"max-concurrent-runs", "maxConcurrentRuns", "max_concurrent_runs"})
    @DisplayName("the environment overrides the application, however each of them writes a name, and the rest stays")
    void variablesOverride(String written) {
        for (String variable : List.of("ALMANAC_MAXCONCURRENTRUNS", "ALMANAC_MAX_CONCURRENT_RUNS")) {
            AlmanacConfig config = settings(
                    Map.of(variable, "7", "ALMANAC_TYPELIMITS_LETTER", "3", "ALMANAC_STORE_COLLECTION_PREFIX", "a_"),
                    Map.of("almanac." + written, "5", "almanac.type-limits.sync", "2", "almanac.store.database", "b"));
            assertThat(config.settings().maxConcurrentRuns())
                    .as("%s over %s", variable, written)
                    .isEqualTo(7);
            assertThat(config.typeLimits()).containsOnly(Map.entry("letter", 3), Map.entry("sync", 2));
            assertThat(config.store().collectionPrefix()).isEqualTo("a_");
            assertThat(config.store().database()).isEqualTo("b");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "almanac.store.colour,almanac.store.colour",
        "almanac.Store.colour,almanac.store.colour",
        "almanac.zone.id,almanac.zone",
        "almanac.paint,almanac.paint"
    })
    @DisplayName("an unknown property of the application is refused, also beside a known one of the environment")
    void unknown(String property, String named) {
        assertThatThrownBy(() -> settings(
                        Map.of("ALMANAC_STORE_PARTITIONS", "900", "ALMANAC_ZONE", "UTC"), Map.of(property, "red")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(named)
                .hasMessageContaining("almanac.store.partitions");
    }

    @Test
    @DisplayName("a text of the application where a section belongs is refused, also beside a setting of that section")
    void textForSection() {
        assertThatThrownBy(
                        () -> settings(Map.of("ALMANAC_STORE_COLLECTION_PREFIX", "a_"), Map.of("almanac.store", "red")))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("almanac.store = red: expected a section");
    }

    @Test
    @DisplayName("a list of a profile replaces the longer one of the application as a whole")
    void listOfProfile() {
        StandardEnvironment environment = new StandardEnvironment();
        String weekend = "almanac.calendars.Weekend.";
        String days = weekend + "exclude-days";
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "application", Map.of(weekend + "kind", "Weekly", days + "[0]", "SAT", days + "[1]", "SUN")));
        environment.getPropertySources().addFirst(new MapPropertySource("gulf", Map.of(days + "[0]", "FRI")));
        ConfigurationPropertySources.attach(environment);
        ExclusionCalendar calendar = SettingsOfApplication.read(environment)
                .calendars()
                .get("Weekend")
                .calendar();
        assertThat(calendar.isIncluded(Instant.parse("2026-11-27T12:00:00Z"), ZoneOffset.UTC))
                .as("Friday")
                .isFalse();
        assertThat(calendar.isIncluded(Instant.parse("2026-11-29T12:00:00Z"), ZoneOffset.UTC))
                .as("Sunday")
                .isTrue();
    }

    private static AlmanacConfig profiled(Map<String, Object> application, Map<String, Object> profile) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("application", application));
        environment.getPropertySources().addFirst(new MapPropertySource("gulf", profile));
        ConfigurationPropertySources.attach(environment);
        return SettingsOfApplication.read(environment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"weekend", "days-off", "daysOff", "days_off", "[days.off]", "[days/off]"})
    @DisplayName(
            "a list of a profile counts, however it and the one that it replaces are written, and its calendar is named")
    void listsAsWritten(String name) {
        String calendar = "almanac.calendars" + (name.startsWith("[") ? name : "." + name);
        String days = calendar + ".exclude-days";
        String kind = calendar + ".kind";
        List<Map<String, Object>> replaced = List.of(
                Map.of(kind, "Weekly", days, "SAT,SUN"),
                Map.of(kind, "Weekly", days + "[0]", "SAT", days + "[1]", "SUN"));
        List<Map<String, Object>> replacing = List.of(Map.of(days, "FRI"), Map.of(days + "[0]", "FRI"));
        for (Map<String, Object> application : replaced) {
            for (Map<String, Object> profile : replacing) {
                assertThat(profiled(application, profile).calendars().values())
                        .as("%s replaced by %s", application, profile)
                        .extracting(CalendarDefinition::values)
                        .containsExactly(Map.of("exclude-days", "FRI"));
            }
        }
    }

    private static String database(String... properties) {
        StandardEnvironment environment = new StandardEnvironment();
        Map<String, Object> values = new HashMap<>();
        for (String property : properties) {
            String[] parts = property.split("=", 2);
            values.put(parts[0], parts[1]);
        }
        environment.getPropertySources().addFirst(new MapPropertySource("application", values));
        ConfigurationPropertySources.attach(environment);
        return SettingsOfApplication.read(environment).store().database();
    }

    @Test
    @DisplayName(
            "jobs are stored where the application keeps its data, unless a setting of Almanac names another place")
    void databaseOfTheApplication() {
        assertThat(database()).isEqualTo("almanac");
        assertThat(database("spring.mongodb.uri=mongodb://a:1,b:2/shop?replicaSet=rs"))
                .isEqualTo("shop");
        assertThat(database("spring.mongodb.uri=mongodb+srv://a.example/shop")).isEqualTo("shop");
        assertThat(database("spring.mongodb.database=shop")).isEqualTo("shop");
        assertThat(database("spring.mongodb.uri=mongodb://a/admin", "spring.mongodb.database=${name}", "name=shop"))
                .isEqualTo("shop");
        assertThat(database("spring.mongodb.uri=mongodb://a:1"))
                .as("names none")
                .isEqualTo("almanac");
        assertThat(database("spring.mongodb.uri=mongodb://a/shop", "almanac.store.database=jobs"))
                .isEqualTo("jobs");
        assertThat(database("spring.mongodb.uri=mongodb://a/shop", "almanac.store.uri=mongodb://b/jobs"))
                .isEqualTo("jobs");
        assertThat(database("spring.mongodb.uri=mongodb://a/shop", "almanac.store.uri=mongodb://b"))
                .as("another server")
                .isEqualTo("almanac");
    }

    @Test
    @DisplayName("S15: all types are written [*] in properties")
    void allTypes() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "application",
                        Map.of("almanac.type-limits[*]", "3", "almanac.type-defaults[*].priority", "6")));
        ConfigurationPropertySources.attach(environment);
        AlmanacConfig config = SettingsOfApplication.read(environment);
        assertThat(config.typeLimits()).containsExactly(Map.entry("*", 3));
        assertThat(config.typeDefaults()).containsExactly(Map.entry("*", new TypeDefaults(6, null)));
    }

    @Test
    @DisplayName("S10, S15: the type of a method may be written as it is, or in brackets, and a calendar likewise")
    void namesWithDots() {
        AlmanacConfig config = profiled(
                Map.of(
                        "almanac.type-limits.method.sync", "3",
                        "almanac.type-defaults.method.sync.priority", "2",
                        "almanac.type-defaults[method.close-till].retry", "R1/PT1M",
                        "almanac.calendars.days.off.kind", "Weekly",
                        "almanac.calendars.days.off.exclude-days[0]", "SUN"),
                Map.of("almanac.type-defaults.method.sync.retry", "R5/PT5M"));
        assertThat(config.typeLimits()).containsExactly(Map.entry("method.sync", 3));
        assertThat(config.typeDefaults())
                .containsOnly(
                        Map.entry("method.sync", new TypeDefaults(2, RetryPolicy.parse("R5/PT5M"))),
                        Map.entry("method.close-till", new TypeDefaults(null, RetryPolicy.parse("R1/PT1M"))));
        assertThat(config.calendars()).containsOnlyKeys("days.off");
    }
}
