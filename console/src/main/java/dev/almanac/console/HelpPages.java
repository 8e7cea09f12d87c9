package dev.almanac.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Member;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** How help is arranged: a synopsis of one line, options in groups, rare commands below the others, and examples. */
final class HelpPages {
    private static final List<String> EXAMPLES = examples();
    private static final Set<String> RARE = Set.of(
            "almanac business-days",
            "almanac lateness",
            "almanac indexes",
            "almanac completion",
            "almanac jobs remove",
            "almanac jobs release");

    /** The groups, in their order. */
    private enum Group {
        OPTIONS,
        SELECTION,
        SCHEDULE,
        CONNECTION,
        OUTPUT;

        private static final Map<Class<?>, Group> BY_OWNER = Map.of(
                ConnectionOptions.class, CONNECTION,
                JobSelectionOptions.class, SELECTION,
                JobKind.class, SELECTION,
                JobFilter.class, SELECTION,
                PauseTarget.class, SELECTION,
                FailedJobsOptions.class, SELECTION,
                Output.class, OUTPUT,
                Almanac.class, OUTPUT);

        static Group of(OptionSpec option) {
            if (option.usageHelp()
                    || option.versionHelp()
                    || option.longestName().equals("--json")) {
                return OUTPUT;
            } else if (option.userObject() == null) {
                // made of the table of a job's fields
                return SCHEDULE;
            }
            return option.userObject() instanceof Member member
                    ? BY_OWNER.getOrDefault(member.getDeclaringClass(), OPTIONS)
                    : OPTIONS;
        }
    }

    private HelpPages() {}

    private static List<String> examples() {
        try (InputStream in = HelpPages.class.getResourceAsStream("examples.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Arranges the help of a command and of those below it. */
    static void arrange(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        // not the mixin of picocli: it must be there before the parameters of a method are
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("show this help")
                .build());
        spec.addOption(OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("show the version")
                .build());
        UsageMessageSpec usage = spec.usageMessage();
        usage.abbreviateSynopsis(true);
        usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpPages::options);
        usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpPages::commands);
        String prefix = spec.qualifiedName() + " ";
        List<String> examples = EXAMPLES.stream()
                .filter(example -> spec.subcommands().isEmpty() && (example + " ").startsWith(prefix))
                .toList();
        if (!examples.isEmpty()) {
            List<String> footer = new ArrayList<>(List.of("", "Examples:"));
            examples.forEach(example -> footer.add("  " + example.replace("%", "%%")));
            usage.footer(footer.toArray(String[]::new));
        }
        line.getSubcommands().values().forEach(HelpPages::arrange);
    }

    /** The commands below one, in the order of their examples; that of methods is not defined. */
    private static List<String> below(CommandSpec spec) {
        return spec.subcommands().keySet().stream()
                .sorted(Comparator.comparingInt(name -> place(spec.qualifiedName() + " " + name + " ")))
                .toList();
    }

    private static int place(String prefix) {
        int place = 0;
        while (place < EXAMPLES.size() && !(EXAMPLES.get(place) + " ").startsWith(prefix)) {
            place++;
        }
        return place;
    }

    private static String options(Help help) {
        CommandSpec spec = help.commandSpec();
        Map<Group, List<OptionSpec>> groups = new TreeMap<>();
        spec.options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> groups.computeIfAbsent(Group.of(option), any -> new ArrayList<>())
                        .add(option));
        StringBuilder text = new StringBuilder();
        groups.forEach((group, options) -> {
            if (spec.usageMessage().sortOptions()) {
                options.sort(Comparator.comparing(OptionSpec::longestName));
            }
            Help.Layout layout = help.createDefaultLayout();
            layout.addOptions(options, help.createDefaultParamLabelRenderer());
            text.append(group.name().charAt(0))
                    .append(group.name().substring(1).toLowerCase(Locale.ROOT))
                    .append(":")
                    .append(System.lineSeparator())
                    .append(layout);
        });
        return text.toString();
    }

    private static String commands(Help help) {
        Map<String, Help> usual = new LinkedHashMap<>();
        Map<String, Help> rare = new LinkedHashMap<>();
        for (String name : below(help.commandSpec())) {
            Help below = help.subcommands().get(name);
            (RARE.contains(below.commandSpec().qualifiedName()) ? rare : usual).put(name, below);
        }
        return commands(help, "Commands:", usual) + commands(help, "More:", rare);
    }

    private static String commands(Help help, String head, Map<String, Help> commands) {
        return commands.isEmpty() ? "" : head + System.lineSeparator() + help.commandList(commands);
    }

    /** Runs the command, or shows its help. A word that is no command is an error also beside {@code --help}. */
    static int execute(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        CommandLine line = last.commandSpec().commandLine();
        if (!last.unmatched().isEmpty()) {
            throw new UnmatchedArgumentException(line, last.unmatched());
        }
        refuseEmpty(line, last.matchedOptions());
        List<String> below = below(line.getCommandSpec());
        if (!below.isEmpty()
                && !(line.getCommand() instanceof Callable<?>)
                && !last.isUsageHelpRequested()
                && !last.isVersionHelpRequested()) {
            throw new ParameterException(
                    line,
                    (below.size() == 2 ? String.join(" or ", below) : "one of " + String.join(", ", below))
                            + " is expected");
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    /** A selection by an empty text is that of a shell variable that is not set: it must not select every job. */
    private static void refuseEmpty(CommandLine line, List<OptionSpec> matched) {
        for (OptionSpec option : matched) {
            if (Group.of(option) == Group.SELECTION && "".equals(option.getValue())) {
                throw new ParameterException(
                        line,
                        option.longestName() + " is empty, which selects nothing; leave it out if it is not meant");
            }
        }
    }
}
