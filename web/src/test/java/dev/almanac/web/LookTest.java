package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.web.page.StaticFiles;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the pages have in common to the eye, as far as no browser is needed to see it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LookTest {
    private static final Pattern SIZE = Pattern.compile("font(?:-size)?: *([.0-9]+(?:px|rem|em))");
    private static final Pattern EMPTY = Pattern.compile("<p class=\"none\">(.*?)</p>", Pattern.DOTALL);
    /** An empty table says what it would list, and when, or where to go on. */
    private static final Pattern TEACHES = Pattern.compile("[.:] \\S.*[.:]|<a ", Pattern.DOTALL);

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final MountedConsole mounted =
            fixture.mount(fixture.console().allowChanges(true).access(request -> Optional.of(Viewer.operator("ann"))));

    @AfterAll
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("40: all texts have one of five sizes; those of drawings have their own")
    void scale() {
        String style = mounted.get(StaticFiles.PATH + "/console.css")
                .body()
                .replaceAll("[^{}]*svg[^{}]*\\{[^}]*}|\\.(strip|year) text *\\{[^}]*}", "");
        assertThat(SIZE.matcher(style).results().map(size -> size.group(1)).distinct())
                .containsExactlyInAnyOrder("15px", ".8rem", ".9rem", "1rem", "1.15rem", "1.5rem");
    }

    @Test
    @DisplayName("40: a page that has nothing to list says what it would list, or where to go on")
    void empty() {
        for (String path : List.of(
                "/",
                "/day",
                "/forecast",
                "/jobs",
                "/jobs?tag=x",
                "/failures",
                "/calendars",
                "/nodes",
                "/pauses",
                "/metrics",
                "/search?q=x")) {
            List<String> empty = EMPTY.matcher(mounted.get(path).body())
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertThat(empty)
                    .as(path)
                    .isNotEmpty()
                    .allMatch(text -> TEACHES.matcher(text).find());
        }
    }
}
