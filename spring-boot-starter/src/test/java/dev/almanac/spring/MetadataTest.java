package dev.almanac.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.config.AlmanacConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What development environments offer and explain while properties are typed. */
class MetadataTest {
    private static final String FILE = "META-INF/spring-configuration-metadata.json";
    private static final Pattern ROW = Pattern.compile(
            "\\| `almanac\\.([a-z.-]*[a-z])\\.?`[A-Z]* \\| `([^`]*)` \\| ([a-z]+) \\| (.*?) \\| (.*) \\|");

    private record Property(String key, String standard, String unit, boolean named, String meaning) {
        String json() {
            String type = named ? "java.util.Map<java.lang.String,%s>".formatted(type(unit)) : type(unit);
            return "    {\n      \"name\": \"almanac." + key + "\",\n      \"type\": \"" + type
                    + "\",\n      \"description\": \"" + meaning.replace("`", "") + "\""
                    + (value() == null ? "" : ",\n      \"defaultValue\": " + value()) + "\n    }";
        }

        private static String type(String unit) {
            return switch (unit) {
                case "duration" -> "java.time.Duration";
                case "integer" -> "java.lang.Integer";
                case "number" -> "java.lang.Double";
                case "switch" -> "java.lang.Boolean";
                case "section" -> "java.lang.Object";
                default -> "java.lang.String";
            };
        }

        private String value() {
            return switch (standard) {
                case "null", "{}", "\"\"" -> null;
                case "on" -> "true";
                case "off" -> "false";
                default ->
                    unit.equals("integer") || unit.equals("number")
                            ? standard
                            : "\"" + standard.replace(" ", "") + "\"";
            };
        }
    }

    private static List<Property> settings() throws IOException {
        List<Property> properties = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "settings.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                boolean named = line.startsWith("| `almanac." + row.group(1) + ".`");
                properties.add(new Property(row.group(1), row.group(2), row.group(3), named, row.group(5)));
            }
        }
        return properties;
    }

    @Test
    @DisplayName("17.5: the metadata of the properties are the table of settings: all of them, and nothing else")
    void metadata() throws IOException {
        List<Property> settings = settings();
        assertThat(settings)
                .extracting(Property::key)
                .containsExactlyInAnyOrderElementsOf(AlmanacConfig.keys().stream()
                        .map(key -> key.replaceAll("\\.$", ""))
                        .toList());
        String expected = settings.stream()
                .map(Property::json)
                .collect(Collectors.joining(",\n", "{\n  \"properties\": [\n", "\n  ]\n}\n"));
        Path made = Files.createDirectories(Path.of("target")).resolve("spring-configuration-metadata.json");
        Files.writeString(made, expected);
        assertThat(Path.of("src", "main", "resources", FILE))
                .as("if the table has changed, copy " + made + " there")
                .hasContent(expected);
    }
}
