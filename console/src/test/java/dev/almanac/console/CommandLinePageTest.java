package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** docs/command-line.md says what the commands answer: it is run from top to bottom. */
class CommandLinePageTest {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
    private static final String PROMPT = "$ almanac ";
    private static final String FILE = "tills.conf";

    @TempDir
    private Path folder;

    private static List<String> page() throws IOException {
        return Files.readAllLines(Path.of(System.getProperty("almanac.root"), "docs", "command-line.md"));
    }

    private static String[] words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line.substring(PROMPT.length()));
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words.toArray(String[]::new);
    }

    /** The one file that the page shows. */
    private String file() throws IOException {
        List<String> lines = page();
        int start = lines.indexOf("```hocon") + 1;
        int end = start + lines.subList(start, lines.size()).indexOf("```");
        return Files.write(folder.resolve(FILE), lines.subList(start, end)).toString();
    }

    private String answer(ConsoleFixture console, String line) throws IOException {
        String[] words = words(line);
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].equals(FILE) ? file() : words[i];
        }
        boolean alone = words[0].equals("cron")
                || words[0].equals("business-days")
                || line.startsWith(PROMPT + "calendars check");
        CommandResult told = alone ? CommandResult.by(Map.of("COLUMNS", "80"), words) : console.run(words);
        return line + "\n" + told.all().replace(console.name(), "almanac");
    }

    @Test
    @DisplayName("docs/command-line.md: each command answers what the page says")
    void transcript() throws IOException {
        StringBuilder said = new StringBuilder();
        StringBuilder answered = new StringBuilder();
        try (ConsoleFixture console = ConsoleFixture.withoutStore()) {
            boolean inside = false;
            for (String line : page()) {
                inside = line.startsWith("```") ? line.equals("```console") : inside;
                if (inside && !line.startsWith("```")) {
                    said.append(CommandResult.alike(line)).append('\n');
                    answered.append(line.startsWith(PROMPT) ? answer(console, line) : "");
                }
            }
        }
        assertThat(answered.toString().lines()).hasSizeGreaterThan(80);
        assertThat(CommandResult.alike(answered.toString())).isEqualTo(said.toString());
    }

    @Test
    @DisplayName("docs/command-line.md: every command is on the page")
    void everything() throws IOException {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        CommandLine root = Main.line(new ProcessEnvironment(nowhere, nowhere, Map.of(), false));
        String text = String.join("\n", page());
        List<String> commands = leaves(root, "").toList();
        assertThat(commands).contains("jobs list", "run", "completion");
        assertThat(commands).filteredOn(command -> !named(text, command)).isEmpty();
        assertThat(named(text, "jobs vanish")).isFalse();
    }

    /** As a line of a transcript, or in the text between back quotes, alone or as one of several. */
    private static boolean named(String text, String command) {
        int space = command.lastIndexOf(' ');
        String group = space < 0 ? "" : Pattern.quote(command.substring(0, space)) + " [a-z|-]*\\b";
        String last = Pattern.quote(command.substring(space + 1)) + "\\b";
        return Pattern.compile("(\\$ almanac |almanac |`)" + group + last)
                .matcher(text)
                .find();
    }

    private static Stream<String> leaves(CommandLine command, String path) {
        return command.getSubcommands().entrySet().stream()
                .flatMap(entry -> entry.getValue().getSubcommands().isEmpty()
                        ? Stream.of(path + entry.getKey())
                        : leaves(entry.getValue(), path + entry.getKey() + " "));
    }
}
