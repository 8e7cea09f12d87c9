package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sizes and names inside the sources; the figures of ratchet.tsv may fall, never rise. */
class ShapeTest {
    private static final int METHOD_LINES = 25;
    private static final int COLLABORATORS = 7;
    private static final Pattern WORDS =
            Pattern.compile("((^|_)(task|lock|misfire|worker|manager|util|utils|common|impl|trigger)"
                    + "|(Task|Lock|Misfire|Worker|Manager|Util|Utils|Common|Impl|Trigger))(?![a-z])");
    /** Names of the specification's own fields, and of a product that the bench compares with. */
    private static final Pattern ALLOWED = Pattern.compile("(?i)trigger(Command|Identifier)|triggered|CronUtils");

    private static final List<Shape.Part> PRODUCT = Sources.java("src/main/java").stream()
            .flatMap(file -> Shape.of(file).stream())
            .toList();

    private static Map<String, Long> ratchet() {
        Path file = Sources.root().resolve("behaviour/src/test/resources/ratchet.tsv");
        return Sources.lines(file).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\t"))
                .collect(Collectors.toMap(cells -> cells[0], cells -> Long.parseLong(cells[1])));
    }

    private static List<String> above(
            List<Shape.Part> parts, Predicate<Shape.Part> kind, ToLongFunction<Shape.Part> size, int bound) {
        Map<String, Long> known = ratchet();
        return parts.stream()
                .filter(kind)
                .filter(part -> size.applyAsLong(part) >= bound)
                .filter(part -> size.applyAsLong(part) > known.getOrDefault(part.id(), 0L))
                .map(part -> part + " has " + size.applyAsLong(part) + ", the bound of H7 is under " + bound
                        + "; ratchet line: " + part.id() + "\t" + size.applyAsLong(part))
                .toList();
    }

    private static List<String> longMethods(List<Shape.Part> parts) {
        return above(parts, part -> part.kind() != Shape.Kind.TYPE, Shape.Part::lines, METHOD_LINES);
    }

    private static List<String> wideConstructors(List<Shape.Part> parts) {
        return above(parts, part -> part.kind() == Shape.Kind.CONSTRUCTOR, Shape.Part::parameters, COLLABORATORS);
    }

    private static List<String> foreignWords(List<Shape.Part> parts) {
        return parts.stream()
                .filter(part -> part.kind() != Shape.Kind.CONSTRUCTOR)
                .filter(part -> WORDS.matcher(ALLOWED.matcher(part.name()).replaceAll(""))
                        .find())
                .map(part -> part + " has a word that H5 does not use")
                .toList();
    }

    @Test
    @DisplayName("H7: methods stay under 25 lines; those that were longer may not grow")
    void methods() {
        assertThat(PRODUCT).hasSizeGreaterThan(500);
        assertThat(longMethods(PRODUCT)).isEmpty();
    }

    @Test
    @DisplayName("H7: constructors take fewer than 7 collaborators")
    void constructors() {
        assertThat(wideConstructors(PRODUCT)).isEmpty();
    }

    @Test
    @DisplayName("H5: types and methods use the field's words")
    void words() {
        assertThat(foreignWords(PRODUCT)).isEmpty();
    }

    @Test
    @DisplayName("H5, H7: planted violations are found, with file and line; what is within bounds is not")
    void planted() {
        String lines = Stream.generate(() -> "        x++;\n").limit(23).collect(Collectors.joining());
        String source = "class Planted {\n    int x;\n    Planted(int a, int b, int c, int d, int e, int f) {}\n"
                + "    Planted(int a, int b, int c, int d, int e, int f, int g) {}\n"
                + "    void fits() {\n" + lines.substring(0, lines.length() - "        x++;\n".length()) + "    }\n"
                + "    void grows() {\n" + lines + "    }\n"
                + "    record Data(int a, int b, int c, int d, int e, int f, int g) {\n        Data {}\n    }\n"
                + "    void triggerCommand() {}\n    void clock() {}\n    void block() {}\n"
                + "    void trigger() {}\n    class JobManager {}\n    void runTask() {}\n}\n";
        List<Shape.Part> parts = Shape.of("Planted.java", source);
        assertThat(longMethods(parts)).singleElement().asString().startsWith("Planted.java:29: Planted.grows has 25");
        assertThat(wideConstructors(parts)).singleElement().asString().startsWith("Planted.java:4: ");
        assertThat(foreignWords(parts))
                .hasSize(3)
                .anyMatch(hit -> hit.contains("Planted.trigger "))
                .anyMatch(hit -> hit.contains("Planted.JobManager "))
                .anyMatch(hit -> hit.contains("Planted.runTask "));
    }
}
