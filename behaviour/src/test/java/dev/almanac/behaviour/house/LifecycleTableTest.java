package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table in contributing/lifecycle.md and the tests of its lines name each other. */
class LifecycleTableTest {
    private static final Pattern LINE = Pattern.compile("(?m)^\\| (L\\d\\d) \\|");
    private static final Pattern TEST = Pattern.compile("@DisplayName\\(\\s*\"(L\\d\\d) ");
    private static final Pattern ROW = Pattern.compile("\\b([A-Z_]+)/([A-Z_]+)\\b");
    private static final int ROW_COLUMN = 6;

    private static final String TABLE = Sources.text(Sources.root().resolve("contributing/lifecycle.md"));

    private static final Pattern ARROW = Pattern.compile("(?m)^    (\\S+) --> (\\S+): (.+)$");
    private static final Pattern STATE = Pattern.compile("(?m)^\\| ([a-z]+) \\| (?:-|present)");

    @Test
    @DisplayName("the diagram has the states of the document, and each arrow is what its lines say")
    void diagram() {
        Set<String> drawn = new TreeSet<>();
        for (MatchResult arrow : ARROW.matcher(TABLE).results().toList()) {
            drawn.add(arrow.group(1));
            drawn.add(arrow.group(2));
            Set<String> lines = found(Pattern.compile("\\b(L\\d\\d)\\b"), arrow.group(3));
            assertThat(lines).as(arrow.group()).isNotEmpty();
            lines.forEach(line -> {
                List<String> cells = Arrays.stream(line(line).split("\\|"))
                        .map(String::strip)
                        .toList();
                assertThat(cells.get(2))
                        .as(arrow.group())
                        .containsPattern("\\bany\\b|\\bnone\\b|" + named(arrow.group(1)));
                assertThat(cells.get(7))
                        .as(arrow.group())
                        .containsPattern("\\bas\\b|moved on|\\bgone\\b|" + named(arrow.group(2)));
            });
        }
        drawn.remove("[*]");
        assertThat(drawn).isEqualTo(found(STATE, TABLE));
    }

    private static String named(String state) {
        return Pattern.quote(state);
    }

    private static String line(String number) {
        return TABLE.lines()
                .filter(l -> l.startsWith("| " + number + " |"))
                .findFirst()
                .orElseThrow();
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(hit -> hit.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String tests() {
        return Sources.java("behaviour/src/test/java/dev/almanac/behaviour/").stream()
                .map(Sources::text)
                .collect(Collectors.joining("\n"));
    }

    @Test
    @DisplayName("every line of the table has a test of its number, and every test has a line")
    void numbers() {
        Set<String> lines = found(LINE, TABLE);
        assertThat(lines).hasSizeGreaterThan(50).isEqualTo(found(TEST, tests()));
        assertThat(LINE.matcher(TABLE).results()).as("each number once").hasSize(lines.size());
    }

    @Test
    @DisplayName("every line names who, guard and row; what it calls a row is one")
    void rows() {
        for (String line : TABLE.lines().filter(l -> LINE.matcher(l).find()).toList()) {
            List<String> cells =
                    Arrays.stream(line.split("\\|")).map(String::strip).toList();
            assertThat(cells).as(line).hasSize(8);
            assertThat(cells.subList(1, 8)).as(line).doesNotContain("");
            for (MatchResult row : ROW.matcher(cells.get(ROW_COLUMN)).results().toList()) {
                ExecutionStatus.valueOf(row.group(1));
                Outcome.valueOf(row.group(2));
            }
        }
    }

    @Test
    @DisplayName("every status and every outcome that a node writes is in the table")
    void outcomes() {
        String rows = TABLE.lines().filter(l -> LINE.matcher(l).find()).collect(Collectors.joining("\n"));
        assertThat(ExecutionStatus.values())
                .allSatisfy(status -> assertThat(rows).contains(status + "/"));
        assertThat(Outcome.values()).allSatisfy(outcome -> assertThat(rows).contains("/" + outcome));
    }
}
