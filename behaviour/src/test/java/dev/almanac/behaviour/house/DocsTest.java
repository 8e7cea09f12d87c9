package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the pages point at is there, and what they show is what is compiled. */
class DocsTest {
    private static final Path README = Sources.root().resolve("README.md");
    private static final Pattern RULE_LINE = Pattern.compile("(?m)^\\| ([A-Z]\\d{1,2}) \\|");
    private static final Pattern RULE_CITED =
            Pattern.compile("(?:@DisplayName\\(\\s*\"|\\brules? |new Problem\\([^;]{0,80}\")([A-Z]\\d{1,2})\\b");

    @Test
    @DisplayName("every relative link of every page leads to a file, and its anchor to a heading")
    void links() {
        List<Page> pages = Page.all();
        assertThat(pages).hasSizeGreaterThan(10);
        assertThat(pages.stream().flatMap(page -> page.deadLinks().stream())).isEmpty();
    }

    @Test
    @DisplayName("every snippet that names its source equals it, line by line")
    void snippets() {
        List<Page> pages = Page.all();
        assertThat(pages.stream().mapToLong(Page::sourcedSnippets).sum()).isGreaterThan(4);
        assertThat(pages.stream().flatMap(page -> page.strayedSnippets().stream()))
                .isEmpty();
    }

    @Test
    @DisplayName("the index of docs, which the README links, has every page of docs")
    void reachable() {
        Path index = Sources.root().resolve("docs/README.md");
        assertThat(Sources.text(README)).contains("](docs/README.md)");
        String pages = Sources.text(index);
        List<String> hidden = Page.all().stream()
                .map(Page::file)
                .filter(file -> file.getParent().equals(index.getParent()) && !file.equals(index))
                .map(file -> file.getFileName().toString())
                .filter(file -> !pages.contains("](" + file + ")"))
                .toList();
        assertThat(hidden).isEmpty();
    }

    @Test
    @DisplayName("the README has at most 150 lines, and its first Java within the first 45")
    void firstScreen() {
        List<String> lines = Sources.lines(README);
        assertThat(lines).hasSizeLessThanOrEqualTo(150);
        assertThat(lines.indexOf("```java")).isBetween(0, 44);
    }

    @Test
    @DisplayName("the walk through the life of a one-off has at most 40 types, each met once, and each is there")
    void walk() {
        List<String> types = Sources.text(Sources.root().resolve("contributing/walk.md"))
                .lines()
                .filter(line -> line.matches("\\d+\\. `.*"))
                .map(line -> line.substring(line.indexOf('`') + 1, line.indexOf('`', line.indexOf('`') + 1)))
                .toList();
        Set<String> there = Sources.java("src/main").stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());
        assertThat(types).hasSizeBetween(20, 40).doesNotHaveDuplicates().isSubsetOf(there);
    }

    @Test
    @DisplayName("every rule that a test, a comment or a refusal names by its code is in contributing/rules.md")
    void rules() {
        Set<String> listed = codes(RULE_LINE, Sources.text(Sources.root().resolve("contributing/rules.md")));
        Set<String> cited = Sources.java("").stream()
                .flatMap(file -> codes(RULE_CITED, Sources.text(file)).stream())
                .filter(code -> !code.startsWith("L"))
                .collect(Collectors.toSet());
        assertThat(cited).hasSizeGreaterThan(40).isSubsetOf(listed);
    }

    private static Set<String> codes(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(hit -> hit.group(1)).collect(Collectors.toSet());
    }

    @Test
    @DisplayName("every test that a page names is there, and each guarantee names at least one")
    void provenClaims() {
        assertThat(Page.all().stream().flatMap(page -> page.deadProofs().stream()))
                .isEmpty();
        Page how = Page.of(Sources.root().resolve("docs/how-it-works.md"));
        assertThat(how.provenItems("What it guarantees")).hasSize(5).allMatch(proofs -> proofs > 0);
        assertThat(how.provenItems("Why no fire is lost, and none runs twice without a reason"))
                .hasSizeGreaterThan(4)
                .allMatch(proofs -> proofs > 0);
    }

    @Test
    @DisplayName("planted: a test that is not there, and a guarantee without one, are found")
    void plantedClaims() {
        String test = "behaviour/src/test/java/dev/almanac/behaviour/house/DocsTest.java";
        Page page = new Page(
                README,
                List.of(
                        "## Promises",
                        "1. This holds.",
                        "   [DocsTest.provenClaims](" + test + ")",
                        "2. This does, too. [DocsTest.gone](" + test + ") [OtherTest.planted](" + test + ")",
                        "3. And this.",
                        "## More",
                        "4. [DocsTest.walk](" + test + ")"));
        assertThat(page.deadProofs()).containsExactly("README.md: DocsTest.gone", "README.md: OtherTest.planted");
        assertThat(page.provenItems("Promises")).containsExactly(1, 2, 0);
    }

    @Test
    @DisplayName("planted: a dead file, a dead anchor and a strayed snippet are found; what is right is not")
    void planted() {
        Page page = new Page(
                README,
                List.of(
                        "# One, two: `three`",
                        "[a](docs/time.md) [b](docs/none.md) [c](#one-two-three) [d](#four) [e](https://example.org)",
                        "`[f](none.md)`",
                        "```",
                        "[g](none.md)",
                        "# five",
                        "```",
                        "[h](#five)",
                        "<!-- from examples/src/main/java/dev/almanac/examples/QuickStart.java#quick-start -->",
                        "```java",
                        "scheduler.start();",
                        "```"));
        assertThat(page.deadLinks()).containsExactly("README.md: docs/none.md", "README.md: #four", "README.md: #five");
        assertThat(page.strayedSnippets()).hasSize(1);
        assertThat(Page.snippet(
                        Sources.root().resolve("examples/src/main/java/dev/almanac/examples/QuickStart.java"),
                        "quick-start"))
                .hasSizeBetween(8, 12)
                .first()
                .asString()
                .startsWith("record Reminder(");
    }
}
