package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/** The command lines in the fences of the pages are read as they would be, and not run. */
class DocumentedCommandsTest {
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    @Test
    @DisplayName("every ./almanac command that a page shows is one that there is, with options that it takes")
    void commands() throws IOException {
        List<String> shown = new ArrayList<>();
        for (Path page : pages()) {
            shown.addAll(commands(Files.readAllLines(page)));
        }
        assertThat(shown)
                .hasSizeGreaterThan(2)
                .allSatisfy(line -> assertThatCode(() -> read(line)).as(line).doesNotThrowAnyException());
    }

    @Test
    @DisplayName(
            "planted: an unknown command and an unknown option are refused; what stands outside of fences is not read")
    void planted() {
        assertThat(commands(List.of("./almanac no", "```", "./almanac health  # is it up", "./almanac demo", "```")))
                .containsExactly("health  # is it up");
        read("cron next \"0 0 12 * * ?\" | tail");
        assertThatThrownBy(() -> read("no-such-command")).isInstanceOf(ParameterException.class);
        assertThatThrownBy(() -> read("health --no-such-option")).isInstanceOf(ParameterException.class);
        assertThatThrownBy(() -> read("indexes no-such-command")).isInstanceOf(ParameterException.class);
    }

    /** The words up to a comment, a pipe or a redirection, as a shell would hand them over. */
    private static void read(String line) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(line);
        while (word.find() && !List.of("#", "|", ">").contains(word.group())) {
            words.add(word.group().replaceAll("^[\"']|[\"']$", ""));
        }
        Main.line(ProcessEnvironment.ofProcess()).parseArgs(words.toArray(String[]::new));
    }

    private static List<String> commands(List<String> lines) {
        List<String> found = new ArrayList<>();
        boolean fenced = false;
        for (String line : lines) {
            String text = line.strip().replaceFirst("^\\$ ", "");
            // the demo is a program of its own, whose test reads its lines
            if (fenced && text.startsWith("./almanac ") && !text.startsWith("./almanac demo")) {
                found.add(text.substring("./almanac ".length()));
            }
            fenced = line.startsWith("```") != fenced;
        }
        return found;
    }

    private static List<Path> pages() throws IOException {
        Path root = Path.of(System.getProperty("almanac.root"));
        try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
                                    .map(root::resolve),
                            files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }
}
