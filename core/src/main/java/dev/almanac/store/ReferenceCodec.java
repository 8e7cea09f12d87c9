package dev.almanac.store;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.SchedulingCommand;
import java.util.Map;

/** Keeps the command object itself. */
final class ReferenceCodec implements CommandCodec {
    private static final String COMMAND = "command";

    @Override
    public Map<String, Object> encode(SchedulingCommand command) {
        return Map.of(COMMAND, command);
    }

    @Override
    public <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type) {
        Object command = body.get(COMMAND);
        if (!type.isInstance(command)) {
            throw new IllegalArgumentException("the body holds no " + type.getName());
        }
        return type.cast(command);
    }
}
