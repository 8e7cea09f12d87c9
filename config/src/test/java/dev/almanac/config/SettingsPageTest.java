package dev.almanac.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.model.Retention;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.runtime.SchedulerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SettingsPageTest {
    private static final Path ROOT = Path.of(System.getProperty("almanac.root"));

    /** A key as reference.conf has it: its default as written, and the comment above it. */
    private record Entry(String value, String comment) {}

    private static Map<String, Entry> reference() throws IOException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        List<String> section = new ArrayList<>();
        List<String> comment = new ArrayList<>();
        for (String raw : Files.readAllLines(ROOT.resolve("config/src/main/resources/reference.conf"))) {
            String line = raw.strip();
            if (line.startsWith("#")) {
                comment.add(line.substring(1).strip());
                continue;
            }
            if (line.endsWith("{")) {
                section.add(line.substring(0, line.length() - 1).strip());
            } else if (line.equals("}")) {
                section.remove(section.size() - 1);
            } else if (line.contains("=") || line.endsWith("{}")) {
                String[] parts = line.endsWith("{}") ? new String[] {line.replace("{}", ""), "{}"} : line.split("=", 2);
                String path = String.join(".", section) + "." + parts[0].strip();
                entries.put(path, new Entry(parts[1].strip(), String.join(" ", comment)));
            }
            comment.clear();
        }
        return entries;
    }

    private static List<String> page() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/settings.md"));
    }

    private static String row(String key, Kind<?> kind, Entry entry) {
        String range = kind.secret() ? "a connection string" : kind.range();
        return "| `" + key + "` | `" + entry.value() + "` | " + kind.unit() + " | " + range + " | " + entry.comment()
                + " |";
    }

    @Test
    @DisplayName("the table of docs/settings.md is reference.conf with the kinds of the code, key by key, both ways")
    void table() throws IOException {
        Map<String, Entry> reference = reference();
        List<String> rows = new ArrayList<>();
        Stream.concat(ServiceKeys.ALL.stream(), SchedulerKeys.ALL.stream()).forEach(setting -> {
            String key = "almanac." + setting.key();
            assertThat(reference).containsKey(key);
            rows.add(row(key, setting.kind(), reference.get(key)));
        });
        assertThat(page().stream().filter(line -> line.matches("\\| `almanac\\.[a-z.-]*[a-z]` .*")))
                .containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    @DisplayName("C2: docs/settings.md and reference.conf name each kind of calendar with its fields")
    void kindsOfCalendars() throws IOException {
        String comment = reference().get("almanac.calendars").comment();
        for (CalendarDefinition.Kind kind : CalendarDefinition.Kind.values()) {
            String title = kind.name().charAt(0) + kind.name().substring(1).toLowerCase(Locale.ROOT);
            assertThat(page())
                    .filteredOn(line -> line.startsWith("| `" + title + "` |"))
                    .singleElement()
                    .asString()
                    .contains(kind.fields());
            assertThat(comment).contains(title + " ").contains(kind.fields());
        }
    }

    @Test
    @DisplayName("the example of docs/settings.md is read as it stands")
    void example() throws IOException {
        String text = String.join("\n", page());
        int begin = text.indexOf("```hocon") + "```hocon".length();
        AlmanacConfig config =
                AlmanacConfig.read(ConfigFactory.parseString(text.substring(begin, text.indexOf("```", begin))));
        assertThat(config.settings().maxConcurrentRuns()).isEqualTo(32);
        assertThat(config.calendars()).containsOnlyKeys("weekends");
    }

    @Test
    @DisplayName("reference.conf has every key that is known, and no other")
    void keys() throws IOException {
        List<String> known = KnownKeys.ALL.stream().map(key -> "almanac." + key).toList();
        assertThat(reference().keySet()).containsExactlyInAnyOrderElementsOf(known);
        Config parsed = ConfigFactory.parseResources("reference.conf");
        assertThat(parsed.root().keySet()).containsExactly("almanac");
        reference()
                .forEach((key, entry) ->
                        assertThat(parsed.hasPathOrNull(key)).as(key).isTrue());
    }

    @Test
    @DisplayName("the keys are the components of the records, both ways")
    void components() {
        assertThat(SchedulerKeys.ALL.stream().map(setting -> SchedulerKeys.component(setting.key())))
                .containsExactlyElementsOf(components(SchedulerSettings.class));
        assertThat(section("retention.")).isEqualTo(new TreeSet<>(components(Retention.class)));
        TreeSet<String> store = new TreeSet<>(components(MongoStoreSettings.class));
        store.add("uri");
        assertThat(section("store.")).isEqualTo(store);
    }

    @Test
    @DisplayName(
            "the Javadoc of each scheduler setting and of its builder step says range and default as the table does")
    void javadoc() throws IOException {
        Map<String, Entry> reference = reference();
        String record = source("SchedulerSettings");
        String builder = source("SchedulerSettingsBuilder");
        assertThat(SchedulerKeys.ALL).allSatisfy(setting -> {
            String name = SchedulerKeys.component(setting.key());
            String value = inJava(reference.get("almanac." + setting.key()).value());
            String said = "; " + inJava(setting.kind().range()) + "; default " + value;
            assertThat(between(record, "@param " + name + " ", " @param "))
                    .containsPattern(Pattern.quote(said) + "\\b");
            assertThat(before(builder, "public SchedulerSettingsBuilder " + name + "("))
                    .containsPattern(Pattern.quote(said) + "\\b");
        });
    }

    /** The text of a class of settings, without the line breaks of its comments. */
    private static String source(String name) throws IOException {
        Path file = ROOT.resolve("core/src/main/java/dev/almanac/runtime/" + name + ".java");
        return Files.readString(file).replaceAll("\\n *\\* *", " ");
    }

    private static String between(String text, String begin, String end) {
        String rest = text.substring(text.indexOf(begin) + begin.length());
        return rest.contains(end) ? rest.substring(0, rest.indexOf(end)) : rest.substring(0, rest.indexOf("*/"));
    }

    /** The comment that stands before a method. */
    private static String before(String text, String method) {
        String head = text.substring(0, text.indexOf(method));
        return head.substring(head.lastIndexOf("/**"));
    }

    /** Keys are named as the components, and switches as Java has them. */
    private static String inJava(String text) {
        String named = text;
        for (Setting<?, ?> setting : SchedulerKeys.ALL) {
            named = named.replaceAll("\\b" + setting.key() + "\\b", SchedulerKeys.component(setting.key()));
        }
        return Map.of("on or off", "true or false", "on", "true", "off", "false")
                .getOrDefault(named, named);
    }

    private static List<String> components(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> component.getName())
                .toList();
    }

    private static TreeSet<String> section(String prefix) {
        TreeSet<String> names = new TreeSet<>();
        ServiceKeys.ALL.stream()
                .map(Setting::key)
                .filter(key -> key.startsWith(prefix))
                .forEach(key -> names.add(SchedulerKeys.component(key.substring(prefix.length()))));
        return names;
    }
}
