package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The words that types and methods use (rule H5). */
class ShapeTest {
    private static final Pattern WORDS =
            Pattern.compile("((^|_)(task|lock|misfire|worker|manager|util|utils|common|impl|trigger)"
                    + "|(Task|Lock|Misfire|Worker|Manager|Util|Utils|Common|Impl|Trigger))(?![a-z])");
    /** Names of the specification's own fields, and of a product that the bench compares with. */
    private static final Pattern ALLOWED = Pattern.compile("(?i)trigger(Command|Identifier)|triggered|CronUtils");

    private static final List<Shape.Part> PRODUCT = Sources.java("src/main/java").stream()
            .flatMap(file -> Shape.of(file).stream())
            .toList();

    private static List<String> foreignWords(List<Shape.Part> parts) {
        return parts.stream()
                .filter(part -> part.kind() != Shape.Kind.CONSTRUCTOR)
                .filter(part -> WORDS.matcher(ALLOWED.matcher(part.name()).replaceAll(""))
                        .find())
                .map(part -> part + " has a word that H5 does not use")
                .toList();
    }

    @Test
    @DisplayName("H5: types and methods use the field's words")
    void words() {
        assertThat(foreignWords(PRODUCT)).isEmpty();
    }

    @Test
    @DisplayName("H5: planted violations are found, with file and line; what is within the words is not")
    void planted() {
        String source = "class Planted {\n    int x;\n    record Data(int a) {\n        Data {}\n    }\n"
                + "    void triggerCommand() {}\n    void clock() {}\n    void block() {}\n"
                + "    void trigger() {}\n    class JobManager {}\n    void runTask() {}\n}\n";
        assertThat(foreignWords(Shape.of("Planted.java", source)))
                .hasSize(3)
                .anyMatch(hit -> hit.startsWith("Planted.java:9: Planted.trigger "))
                .anyMatch(hit -> hit.contains("Planted.JobManager "))
                .anyMatch(hit -> hit.contains("Planted.runTask "));
    }
}
