package dev.almanac.helper;

import dev.almanac.model.SchedulingCommand;
import java.util.Map;

/**
 * Converts the body of a command to plain values that a store can keep, and back. Thread-safe.
 *
 * <p>Which exception is thrown decides what becomes of a job: {@link IllegalArgumentException} is about the command or
 * the body, so it would be thrown on every node. Anything else, such as {@link IllegalStateException} for a key that is
 * missing or a key service that does not answer, counts as a failure of this node.
 */
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
     * @throws IllegalArgumentException if the body does not fit the type, saying why: the job is blocked. After
     *     any other exception or Error the job is released, without an attempt, and left to other nodes for 30 s
     */
    <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type);
}
