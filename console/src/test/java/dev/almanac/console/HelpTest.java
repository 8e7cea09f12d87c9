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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The help of a command: one line of synopsis, options in groups, and an example that is accepted. */
class HelpTest {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    private static CommandLine line() {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        return Main.line(new ProcessEnvironment(nowhere, nowhere, Map.of(), false));
    }

    private static String help(String command) {
        CommandResult told = CommandResult.by(
                Map.of("COLUMNS", "120"), (command + " --help").strip().split(" "));
        assertThat(told.exit()).isZero();
        assertThat(told.err()).isEmpty();
        return told.out();
    }

    static Stream<String> commands() {
        return below(line(), "");
    }

    private static Stream<String> below(CommandLine command, String path) {
        return command.getSubcommands().entrySet().stream().flatMap(entry -> {
            String name = path + entry.getKey();
            return Stream.concat(Stream.of(name), below(entry.getValue(), name + " "));
        });
    }

    private static CommandLine find(String command) {
        CommandLine found = line();
        for (String word : command.split(" ")) {
            found = found.getSubcommands().get(word);
        }
        return found;
    }

    private static String[] words(String text) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(text);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words.toArray(String[]::new);
    }

    @ParameterizedTest
    @DisplayName("8: a synopsis is one line, and each command has an example or two that it accepts")
    @MethodSource("commands")
    void everyCommand(String command) {
        List<String> lines = help(command).lines().toList();
        assertThat(lines.get(0)).startsWith("Usage: almanac " + command + " ");
        assertThat(lines.get(1))
                .as("the synopsis is over")
                .doesNotStartWith(" ")
                .isNotBlank();
        if (!find(command).getSubcommands().isEmpty()) {
            return;
        }
        assertThat(lines).contains("Examples:");
        List<String> examples = lines.subList(lines.indexOf("Examples:") + 1, lines.size()).stream()
                .map(String::strip)
                .toList();
        assertThat(examples).hasSizeBetween(1, 2).allMatch(example -> example.startsWith("almanac " + command));
        examples.forEach(example -> line().parseArgs(words(example.substring("almanac ".length()))));
    }

    @Test
    @DisplayName("8: options are in groups: what is meant, what is selected, what the job is, connection and output")
    void groups() {
        String help = help("jobs update");
        List<String> heads = List.of("Selection:", "Schedule:", "Connection:", "Output:", "Examples:");
        assertThat(help).contains(heads);
        assertThat(heads.stream().map(help::indexOf)).isSorted();
        assertThat(help.substring(0, help.indexOf("Selection:"))).contains("--dry-run", "--yes", "--expect");
        assertThat(help.substring(help.indexOf("Selection:"), help.indexOf("Schedule:")))
                .contains("--where-tag", "--all")
                .doesNotContain("--uri", "--cron", "--json", "--dry-run");
        assertThat(help.substring(help.indexOf("Connection:"), help.indexOf("Output:")))
                .contains("--uri", "--patience")
                .doesNotContain("--cron", "--where-tag");
        assertThat(help.substring(help.indexOf("Output:"))).contains("--json", "--wide", "--verbose", "--help");
        assertThat(help("cron next")).doesNotContain("Connection:", "Selection:");
    }

    @Test
    @DisplayName("8: no option is missing or twice in the groups")
    void complete() {
        commands().forEach(command -> {
            String help = help(command);
            find(command).getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> assertThat(Pattern.compile("(?m)^ {2,6}(-\\S, )?\\S*"
                                            + Pattern.quote(option.longestName()) + "(?=[ =,\\n])")
                                    .matcher(help)
                                    .results()
                                    .count())
                            .as("%s in the help of %s", option.longestName(), command)
                            .isEqualTo(1));
        });
    }

    @Test
    @DisplayName("8: rare commands stand below the others, under More")
    void more() {
        for (String command : List.of("", "jobs")) {
            String help = help(command);
            int more = help.indexOf("More:");
            assertThat(help.indexOf("Commands:")).isPositive().isLessThan(more);
            String rare = command.isEmpty() ? "  indexes" : "  release";
            String usual = command.isEmpty() ? "  health" : "  pause";
            assertThat(help.indexOf(rare)).isGreaterThan(more);
            assertThat(help.indexOf(usual)).isPositive().isLessThan(more);
        }
        assertThat(help("indexes")).doesNotContain("More:");
    }

    /** The commands that are made for these arguments, by their whole names. */
    private static List<String> made(String... arguments) {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        ProcessEnvironment process = new ProcessEnvironment(nowhere, nowhere, Map.of(), false);
        return below(Main.line(process, List.of(arguments)), "").toList();
    }

    @Test
    @DisplayName("only the command that is asked for is made; all of them where the arguments begin with none")
    void made() {
        List<String> all = commands().toList();
        assertThat(made("jobs", "show", "list")).containsExactlyInAnyOrder("jobs", "jobs show");
        assertThat(made("nodes", "--zone", "UTC")).containsExactlyInAnyOrder("nodes", "nodes standby", "nodes resume");
        assertThat(made("jobs", "lsit")).contains("jobs list", "jobs show").doesNotContain("cron");
        assertThat(made("--verbose", "jobs", "show", "x")).containsExactlyInAnyOrderElementsOf(all);
        assertThat(made("jbos", "list")).containsExactlyInAnyOrderElementsOf(all);
        assertThat(made("completion", "bash")).containsExactlyInAnyOrderElementsOf(all);
        assertThat(made("--help")).contains("jobs", "web").noneMatch(name -> name.contains(" "));
    }

    @ParameterizedTest
    @DisplayName("8: an unknown command is an error with --help, too; a known one is not")
    @ValueSource(strings = {"jbos --help", "jobs lsit --help", "--help jbos", "jobs --help lsit"})
    void unknown(String words) {
        CommandResult told = CommandResult.by(Map.of(), words.split(" "));
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.out()).isEmpty();
        assertThat(told.err()).contains("is no command of almanac", "did you mean");
        assertThat(help("jobs list")).startsWith("Usage: almanac jobs list");
    }

    @Test
    @DisplayName("8: --version says the version of the build, as pom.xml has it")
    void version() throws IOException {
        String pom = Files.readString(Path.of(System.getProperty("almanac.root"), "console", "pom.xml"));
        Matcher version = Pattern.compile("<version>([^<]+)</version>").matcher(pom);
        assertThat(version.find()).isTrue();
        assertThat(CommandResult.by(Map.of(), "--version"))
                .isEqualTo(new CommandResult(0, "almanac " + version.group(1) + "\n", ""));
    }
}
