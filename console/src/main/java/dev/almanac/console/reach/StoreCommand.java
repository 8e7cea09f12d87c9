package dev.almanac.console.reach;

import dev.almanac.console.terminal.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks a database. Its exit code is what {@link #answer} returns. */
public abstract class StoreCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Mixin
    private Output output;

    /** For subclasses. */
    protected StoreCommand() {}

    @Override
    public final Integer call() {
        check();
        try (Reach reach = open(connection)) {
            try {
                return answer(reach, output);
            } catch (RuntimeException e) {
                throw explained(reach, e);
            }
        }
    }

    /** Says what is wrong with the options before a server is asked. */
    protected void check() {}

    /** Opens the connection. Commands that only look never create a store. */
    protected Reach open(Connection where) {
        return where.open(false);
    }

    /** The same failure in words that say what was tried and what to do; as it is, if it is none of the store's. */
    protected static RuntimeException explained(Reach reach, RuntimeException e) {
        return Trouble.told(reach, e);
    }

    /** Does the work and returns the exit code. */
    protected abstract int answer(Reach reach, Output out);
}
