package dev.almanac.helper;

import dev.almanac.model.SchedulingCommand;
import java.util.Map;

/** Converts the body of a command to plain values that a store can keep, and back. Thread-safe. */
public interface CommandCodec {
    /**
     * The body as text, numbers, booleans, lists and maps.
     *
     * @throws IllegalArgumentException if the command cannot be encoded, saying why
     */
    Map<String, Object> encode(SchedulingCommand command);

    /**
     * The command of a registered type.
     *
     * @throws IllegalArgumentException if the body does not fit the type, saying why
     */
    <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type);
}
