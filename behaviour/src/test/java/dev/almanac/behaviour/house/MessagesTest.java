package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.Problem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Messages to operators and their headings in docs/messages.md (rule O6). */
class MessagesTest {
    private static final Pattern NUMBER = Pattern.compile("\\b(ALM-\\d{3})\\b");
    private static final Pattern MESSAGE = Pattern.compile("\"(ALM-\\d{3}) ([^\"{]{0,16})");
    private static final Pattern HEADING = Pattern.compile("(?m)^### (ALM-\\d{3})$");

    private static final Pattern REFUSAL = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(hit -> hit.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @DisplayName("O6: every numbered message has a heading that says what to do, and every heading has a message")
    void headings() {
        String sources =
                Sources.java("src/main/java/").stream().map(Sources::text).collect(Collectors.joining("\n"));
        String page = Sources.text(Sources.root().resolve("docs/messages.md"));
        assertThat(found(NUMBER, sources)).hasSizeGreaterThan(5).isEqualTo(found(HEADING, page));
        assertThat(HEADING.matcher(page).results())
                .as("each once")
                .hasSize(found(HEADING, page).size());
    }

    @Test
    @DisplayName("17.5: the refusals of docs/messages.md are texts of the code")
    void refusals() {
        String sources = Stream.of("core", "time")
                .flatMap(module -> Sources.java(module + "/src/main/java/").stream())
                .map(Sources::text)
                .collect(Collectors.joining("\n"));
        String page = Sources.text(Sources.root().resolve("docs/messages.md"));
        String section = page.substring(page.indexOf("\n## Refusals\n"), page.indexOf("\n## Findings\n"));
        assertThat(found(REFUSAL, section))
                .hasSizeGreaterThan(10)
                .allSatisfy(text -> assertThat(sources).contains(text));
    }

    @Test
    @DisplayName("O6: no two messages share a number")
    void unique() {
        Map<String, Set<String>> messages = Sources.java("src/main/java/").stream()
                .flatMap(file -> MESSAGE.matcher(Sources.text(file)).results())
                .collect(Collectors.groupingBy(
                        hit -> hit.group(1), Collectors.mapping(hit -> hit.group(2), Collectors.toSet())));
        assertThat(messages).hasSizeGreaterThan(5);
        messages.forEach((number, texts) -> assertThat(texts).as(number).hasSize(1));
    }

    @Test
    @DisplayName("O6: a message without a number of three digits is not taken for one")
    void numbers() {
        assertThat(found(NUMBER, "\"ALM-017 the\" ALM-1234 XALM-001 ALM-02")).containsExactly("ALM-017");
        assertThat(found(HEADING, "## ALM-001\n### ALM-002\n### ALM-003 and more\n"))
                .containsExactly("ALM-002");
    }

    @Test
    @DisplayName("13.3: rule codes stay in tests and comments; no message and no transcript carries one")
    void ruleCodes() {
        Pattern code = Pattern.compile("\\((?:rules? )?[A-Z]\\d{1,2}\\)(?=[^\"\n]*\"|$)", Pattern.MULTILINE);
        assertThat(new Problem("zoneId", "Mars", "M2", "is not known")).hasToString("zoneId 'Mars' is not known");
        assertThat(code.matcher("was refused (M2)\"").find()).isTrue();
        Pattern text = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"");
        Sources.java("src/main/java/")
                .forEach(file -> assertThat(text.matcher(Sources.text(file)).results())
                        .as(file.toString())
                        .noneMatch(hit -> code.matcher(hit.group()).find()));
        Pattern transcript = Pattern.compile("(?ms)^```.*?^```$");
        for (String page : List.of("command-line", "calendars", "getting-started", "time", "operations", "messages")) {
            String read = Sources.text(Sources.root().resolve("docs/" + page + ".md"));
            assertThat(transcript.matcher(read).results())
                    .as(page)
                    .noneMatch(hit -> code.matcher(hit.group()).find());
        }
    }
}
