package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TidyTest {
    private static final Pattern TIME_OR_CHANCE = Pattern.compile("Instant\\.now\\(|currentTimeMillis\\(|nanoTime\\(|"
            + "Thread\\.sleep\\(|ZoneId\\.systemDefault\\(|Locale\\.getDefault\\(|Math\\.random\\(|LocalDate\\.now\\(|"
            + "LocalDateTime\\.now\\(|Clock\\.system");
    /** Words that stand for something else here, or for nothing in particular (rule H5). */
    private static final Pattern WORDS = Pattern.compile("(?i)(misfire|worker|manager|util|common|impl)(?![a-z])|"
            + "(?-i)(Util|Common|Impl|Manager|Worker|Misfire)(?=[A-Z]|\\b)");

    private static final Pattern UNTIDY_TESTS =
            Pattern.compile("@Disabled|@RepeatedTest|Thread\\.sleep\\(|org\\.mockito|assume\\w+\\(|rerunFailing");
    private static final Pattern LEFT_OVER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b");
    /** Phrases for which the field has a term, or plain words; the planted sentences show each. */
    private static final Pattern PHRASES = Pattern.compile("(?i)\\bwithout a word\\b|\\bset aside\\b|\\bfor ?ever\\b|"
            + "\\bwhoever\\b|\\bhands (have|had|made)\\b|\\bgives up what\\b|\\bclaims that went back\\b");

    /** The same, of the product and its documentation only: tests may be shorter. */
    private static final Pattern LOOSE = Pattern.compile(
            "(?i)\\b(somebody|whatever|should know|unless said otherwise"
                    + "|say otherwise|nobody (has|can|knows|wants|remembers)|(is|are|was|were|been) told|(node|document|job)s? (say|know|want)s?)\\b");

    private static final Pattern MACHINE =
            Pattern.compile("/(work|root|home/[a-z]+)/|repo\\d?\\.maven|registry\\.npm|pypi\\.org|central\\.sonatype");

    private static List<String> hits(List<Path> files, Pattern pattern, List<String> exceptIn) {
        List<String> hits = new ArrayList<>();
        for (Path file : files) {
            List<String> lines = Sources.lines(file);
            for (int i = 0; i < lines.size(); i++) {
                boolean excepted = exceptIn.stream().anyMatch(file.toString()::endsWith);
                if (!excepted && pattern.matcher(lines.get(i)).find()) {
                    hits.add(Sources.root().relativize(file) + ":" + (i + 1) + ": "
                            + lines.get(i).strip());
                }
            }
        }
        return hits;
    }

    @Test
    @DisplayName(
            "H3: of core, store, calendars, metrics and opentelemetry one class asks for the machine's time, chance or zone")
    void time() {
        List<Path> virtual = Stream.of("core", "mongo-store", "calendars", "metrics", "opentelemetry")
                .flatMap(module -> Sources.java(module + "/src/main/java").stream())
                .toList();
        assertThat(hits(virtual, TIME_OR_CHANCE, List.of("SystemTimeSource.java")))
                .isEmpty();
        assertThat(hits(virtual, TIME_OR_CHANCE, List.of()))
                .as("the scan finds what it looks for")
                .isNotEmpty();
    }

    @Test
    @DisplayName("H3: moments that are typed for a database count from its server's clock, and from no other")
    void typedMoments() {
        Pattern clock = Pattern.compile("\\b(Instant|LocalDate|LocalDateTime)\\.now\\(");
        List<Path> console = Sources.java("console/src/main/java");
        // commands about time alone, which need no database
        assertThat(hits(console, clock, List.of("TimeArguments.java"))).isEmpty();
        assertThat(hits(console, clock, List.of())).isNotEmpty();
    }

    @Test
    @DisplayName("H4: no mocks, no sleeps, no skipped and no repeated tests")
    void tests() {
        assertThat(hits(Sources.java("src/test/java"), UNTIDY_TESTS, List.of("TidyTest.java")))
                .isEmpty();
        assertThat(hits(Sources.java("house/TidyTest.java"), UNTIDY_TESTS, List.of()))
                .isNotEmpty();
    }

    @Test
    @DisplayName("H5: names of classes use the field's words")
    void words() {
        List<String> bad = Sources.java("src/main/java").stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .filter(name -> WORDS.matcher(name).find())
                .toList();
        assertThat(bad).isEmpty();
        assertThat(WORDS.matcher("JobManager").find()).isTrue();
        assertThat(WORDS.matcher("StringUtil").find()).isTrue();
    }

    @Test
    @DisplayName("H6: every package says what it is, and is null-marked")
    void packages() {
        List<String> silent = new ArrayList<>();
        for (Path file : Sources.java("src/main/java")) {
            Path info = file.resolveSibling("package-info.java");
            boolean root = file.getFileName().toString().equals("module-info.java");
            if (!root && (!Files.exists(info) || !Sources.text(info).contains("@NullMarked"))) {
                silent.add(Sources.root().relativize(file).toString());
            }
        }
        assertThat(silent).isEmpty();
    }

    @Test
    @DisplayName("13.1: no part of the engine is told later whom to notify: signals have one interface")
    void callbacks() {
        Pattern declared = Pattern.compile("(?m)^    (?:public )?void (on[A-Z]\\w*)\\(");
        List<String> callbacks = new ArrayList<>();
        for (Path file : Sources.java("core/src/main/java/dev/almanac/engine/")) {
            declared.matcher(Sources.text(file))
                    .results()
                    .forEach(hit -> callbacks.add(file.getFileName() + " " + hit.group(1)));
        }
        assertThat(callbacks).isEmpty();
        assertThat(declared.matcher("    void onSlotFreed(Runnable callback) {").find())
                .isTrue();
    }

    @Test
    @DisplayName("nothing is left over, no path of a machine and no host of a registry is in the tree")
    void leftOvers() {
        List<Path> texts = Sources.all().stream()
                .filter(file -> file.toString().matches(".*\\.(java|md|xml|tsv|sh|conf)$|.*/(build|almanac|run)$"))
                .toList();
        assertThat(texts).hasSizeGreaterThan(100);
        assertThat(hits(texts, LEFT_OVER, List.of("TidyTest.java"))).isEmpty();
        assertThat(hits(texts, MACHINE, List.of("TidyTest.java"))).isEmpty();
    }

    @Test
    @DisplayName("13.3: phrases that once stood for a term of the field do not come back; planted ones are found")
    void phrases() {
        List<Path> texts = Sources.all().stream()
                .filter(file -> file.toString().matches(".*\\.(java|md|jte|conf)$"))
                .toList();
        assertThat(texts).hasSizeGreaterThan(100);
        assertThat(hits(texts, PHRASES, List.of("TidyTest.java"))).isEmpty();
        List<Path> product = texts.stream()
                .filter(file -> !file.toString().contains("/src/test/"))
                .toList();
        assertThat(product).hasSizeGreaterThan(100);
        assertThat(hits(product, LOOSE, List.of())).isEmpty();
        assertThat(List.of(
                        "Somebody pauses it.",
                        "It runs, whatever the load.",
                        "Jobs of types that nobody can run.",
                        "What an operator should know.",
                        "RERUN unless said otherwise.",
                        "Kept unless they say otherwise.",
                        "The helper was told so.",
                        "A node knows the calendar."))
                .allMatch(sentence -> LOOSE.matcher(sentence).find());
        assertThat(List.of(
                        "The claim ended without a word.",
                        "The job was set aside.",
                        "It waits for ever.",
                        "Whoever asks, gets it.",
                        "Hands have damaged it.",
                        "It gives up what was not renewed in time.",
                        "The claims that went back are counted."))
                .allMatch(sentence -> PHRASES.matcher(sentence).find());
    }

    @Test
    @DisplayName("text files end with a newline, and Java has no tabs")
    void ends() {
        List<String> untidy = Sources.all().stream()
                .filter(file -> file.toString().matches(".*\\.(java|md|xml|tsv|sh|conf)$|.*/(build|almanac|run)$"))
                .flatMap(file -> untidy(Sources.root().relativize(file).toString(), Sources.raw(file)).stream())
                .toList();
        assertThat(untidy).isEmpty();
    }

    @Test
    @DisplayName("a planted tab and a missing last newline are found")
    void plantedEnds() {
        assertThat(untidy("A.java", "class A {\n\tint x;\n}\n")).containsExactly("A.java:2: a tab");
        assertThat(untidy("a.md", "text\n\tmore")).containsExactly("a.md:2: no newline at the end");
        assertThat(untidy("a.tsv", "a\tb\n")).isEmpty();
    }

    private static List<String> untidy(String file, String text) {
        List<String> hits = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size() && file.endsWith(".java"); i++) {
            if (lines.get(i).contains("\t")) {
                hits.add(file + ":" + (i + 1) + ": a tab");
            }
        }
        if (!text.isEmpty() && !text.endsWith("\n")) {
            hits.add(file + ":" + lines.size() + ": no newline at the end");
        }
        return hits;
    }
}
