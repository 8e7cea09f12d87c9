package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** All commands, as the command line knows them. */
class ActorOptionsTest {
    /** They only show something, or compute it. */
    private static final Set<String> READING = Set.of(
            "jobs list",
            "jobs show",
            "jobs history",
            "jobs explain",
            "jobs preview",
            "jobs pauses",
            "cron next",
            "cron previous",
            "cron check",
            "cron describe",
            "calendars list",
            "calendars show",
            "calendars check",
            "groups list",
            "groups show",
            "business-days",
            "lateness",
            "fires",
            "forecast",
            "health",
            "doctor",
            "indexes verify",
            "completion");

    /** It changes indexes, which hold no field for it. */
    private static final Set<String> SCHEMA = Set.of("indexes create");

    /** Its author is that of all changes; each change on its pages asks for a reason. */
    private static final String CONSOLE = "web";

    private static Map<String, CommandLine> leaves() {
        Map<String, CommandLine> leaves = new TreeMap<>();
        collect("", Main.line(ProcessEnvironment.ofProcess()), leaves);
        return leaves;
    }

    private static void collect(String path, CommandLine command, Map<String, CommandLine> leaves) {
        if (command.getSubcommands().isEmpty()) {
            leaves.put(path, command);
        }
        command.getSubcommands().forEach((name, next) -> collect((path + " " + name).strip(), next, leaves));
    }

    private static boolean has(CommandLine command, String option) {
        return command.getCommandSpec().optionsMap().containsKey(option);
    }

    @Test
    @DisplayName("every command that changes something takes --author and --reason, and no other does")
    void everyCommand() {
        Map<String, CommandLine> leaves = leaves();
        Set<String> without = leaves.entrySet().stream()
                .filter(leaf -> !has(leaf.getValue(), "--author") || !has(leaf.getValue(), "--reason"))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> expected = new TreeSet<>(READING);
        expected.addAll(SCHEMA);
        expected.add(CONSOLE);
        assertThat(without).isEqualTo(expected);
        assertThat(leaves).hasSizeGreaterThan(expected.size() + 15);
        assertThat(has(leaves.get(CONSOLE), "--author")).isTrue();
        assertThat(READING)
                .allSatisfy(reading -> assertThat(has(leaves.get(reading), "--author"))
                        .as(reading)
                        .isFalse());
    }
}
