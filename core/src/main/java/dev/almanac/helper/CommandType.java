package dev.almanac.helper;

import dev.almanac.model.SchedulingCommand;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A type of command under its stable name.
 *
 * @param name what the database holds: 1 to 100 letters, digits, dots, dashes or underscores
 * @param version the present layout of the body, 1 or more
 * @param type the class of the commands
 * @param upcasters from an older version's body to the next version's, by older version
 */
public record CommandType<C extends SchedulingCommand>(
        String name, int version, Class<C> type, Map<Integer, UnaryOperator<Map<String, Object>>> upcasters) {

    /** @throws IllegalArgumentException if name or version are out of range */
    public CommandType {
        if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
            throw new IllegalArgumentException(
                    "command type name '" + name + "' must be 1 to 100 letters, digits, dots, dashes or underscores");
        }
        if (version < 1) {
            throw new IllegalArgumentException("command type '" + name + "' has version " + version + ", less than 1");
        }
        upcasters = Map.copyOf(upcasters);
    }

    /** A type whose bodies have had this layout from the start. */
    public static <C extends SchedulingCommand> CommandType<C> of(String name, int version, Class<C> type) {
        return new CommandType<>(name, version, type, Map.of());
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
