package dev.almanac.console;

import static java.util.Map.entry;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;

/**
 * Every command of the product. Only those are made that the arguments can mean: all of them together take longer than most
 * commands run.
 */
final class Commands {
    /** The classes of commands, by their whole names; the other commands are methods of the class of their group. */
    private static final Map<String, Class<?>> CLASSES = Map.ofEntries(
            entry("jobs", JobsCommand.class),
            entry("jobs list", ListCommand.class),
            entry("jobs history", HistoryCommand.class),
            entry("jobs schedule", ScheduleCommand.class),
            entry("jobs update", UpdateCommand.class),
            entry("cron", CronCommand.class),
            entry("calendars", CalendarsCommand.class),
            entry("calendars import", ImportCommand.class),
            entry("groups", GroupsCommand.class),
            entry("run", RunCommand.class),
            entry("reconcile", ReconcileCommand.class),
            entry("nodes", NodesCommand.class),
            entry("fires", FiresCommand.class),
            entry("forecast", ForecastCommand.class),
            entry("indexes", IndexesCommand.class),
            entry("web", WebCommand.class));

    private final IFactory factory;

    Commands(IFactory factory) {
        this.factory = factory;
    }

    /**
     * The root command with those below it: the one that the arguments begin with, or all if they begin with none.
     *
     * @param arguments as typed; absent = all commands, whichever may be asked for
     */
    CommandLine root(@Nullable List<String> arguments) {
        CommandLine root = new CommandLine(new Almanac(), factory);
        add(root, "", arguments);
        return root;
    }

    private void add(CommandLine parent, String path, @Nullable List<String> arguments) {
        Map<String, Object> below = below(parent, path);
        String first = arguments == null || arguments.isEmpty() ? "" : arguments.get(0);
        // the completion script is about all of them
        boolean begun = arguments != null && below.containsKey(first) && !first.equals("completion");
        // a word further on may be a command of any group
        boolean named = arguments == null || arguments.stream().anyMatch(word -> !word.startsWith("-"));
        below.forEach((name, made) -> {
            if (!begun || name.equals(first)) {
                CommandLine command = new CommandLine(made, factory);
                parent.addSubcommand(name, command);
                if (named && made instanceof Class<?>) {
                    add(command, path + name + " ", begun ? arguments.subList(1, arguments.size()) : null);
                }
            }
        });
    }

    /** The commands of a group: classes and methods, by their names. */
    private static Map<String, Object> below(CommandLine parent, String path) {
        Map<String, Object> below = new TreeMap<>();
        CLASSES.forEach((name, type) -> {
            if (name.startsWith(path) && name.indexOf(' ', path.length()) < 0) {
                below.put(name.substring(path.length()), type);
            }
        });
        for (Method method : CommandLine.getCommandMethods(parent.getCommand().getClass(), null)) {
            below.put(method.getAnnotation(Command.class).name(), method);
        }
        return below;
    }
}
