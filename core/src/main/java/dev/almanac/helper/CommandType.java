package dev.almanac.helper;

import dev.almanac.model.SchedulingCommand;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A type of command under its stable name.
 *
 * @param name as the database stores it: 1 to 100 letters, digits, dots, dashes or underscores
 * @param version the current layout of the body, 1 or more
 * @param type the class of the commands
 * @param upcasters from an older version's body to the next version's, by older version
 * @param aliases names that the type had before; jobs that are stored under one of them are run as jobs of this type
 * @param defaults for its jobs that do not set these fields
 */
public record CommandType<C extends SchedulingCommand>(
        String name,
        int version,
        Class<C> type,
        Map<Integer, UnaryOperator<Map<String, Object>>> upcasters,
        Set<String> aliases,
        TypeDefaults defaults) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    /** @throws IllegalArgumentException if name or version are out of range */
    public CommandType {
        check(name);
        aliases.forEach(CommandType::check);
        if (version < 1) {
            throw new IllegalArgumentException("command type '" + name + "' has version " + version + ", less than 1");
        }
        upcasters = Map.copyOf(upcasters);
        aliases = Set.copyOf(aliases);
    }

    /** A type without aliases. */
    public CommandType(
            String name, int version, Class<C> type, Map<Integer, UnaryOperator<Map<String, Object>>> upcasters) {
        this(name, version, type, upcasters, Set.of(), TypeDefaults.NONE);
    }

    /** Whether a type may have the name: 1 to 100 letters, digits, dots, dashes or underscores. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    private static void check(String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "command type name '" + name + "' must be 1 to 100 letters, digits, dots, dashes or underscores");
        }
    }

    /** A type without upcasters. */
    public static <C extends SchedulingCommand> CommandType<C> of(String name, int version, Class<C> type) {
        return new CommandType<>(name, version, type, Map.of());
    }

    /**
     * The type after a change of its name. New jobs are stored under the new name; stored ones keep the old name until
     * they are scheduled again, and are run by nodes that have the alias. Limits of a type, pauses of it and defaults by
     * a setting go by the name under which a job is stored.
     *
     * @param formerName 1 to 100 letters, digits, dots, dashes or underscores
     */
    public CommandType<C> alias(String formerName) {
        Set<String> more = new HashSet<>(aliases);
        more.add(formerName);
        return new CommandType<>(name, version, type, upcasters, more, defaults);
    }

    /** The type with a default priority and retry policy. */
    public CommandType<C> defaults(TypeDefaults ofItsJobs) {
        return new CommandType<>(name, version, type, upcasters, aliases, ofItsJobs);
    }

    Map<String, Object> upcast(Map<String, Object> body, int from) {
        Map<String, Object> current = body;
        for (int v = from; v < version; v++) {
            UnaryOperator<Map<String, Object>> step = upcasters.get(v);
            if (step == null) {
                throw new IllegalArgumentException("command type '" + name + "' has no upcaster from version " + v
                        + "; register one, or read the job with a release that knows that version");
            }
            current = step.apply(current);
        }
        return current;
    }
}
