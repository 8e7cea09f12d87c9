package dev.almanac.console;

import dev.almanac.console.reach.Connection;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes the parts of commands; those that need it get the process around them. */
final class Parts implements IFactory {
    private final IFactory others = CommandLine.defaultFactory();
    private final Surroundings surroundings;

    Parts(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        if (type == Output.class) {
            return type.cast(new Output(surroundings));
        }
        if (type == Connection.class) {
            return type.cast(new Connection(surroundings));
        }
        return others.create(type);
    }
}
