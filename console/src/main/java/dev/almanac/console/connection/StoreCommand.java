package dev.almanac.console.connection;

import dev.almanac.console.terminal.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks a database. Its exit code is what {@link #answer} returns. */
public abstract class StoreCommand implements Callable<Integer> {
    @Mixin
    private ConnectionOptions connection;

    @Mixin
    private Output output;

    /** For subclasses. */
    protected StoreCommand() {}

    @Override
    public final Integer call() {
        check();
        try (StoreAccess access = open(connection)) {
            access.onComplaint(text -> output.message("almanac: warning: " + text));
            try {
                return answer(access, output);
            } catch (RuntimeException e) {
                throw explained(access, e);
            }
        }
    }

    /** Says what is wrong with the options before a server is asked. */
    protected void check() {}

    /** Opens the connection. Commands that only look never create a store. */
    protected StoreAccess open(ConnectionOptions where) {
        return where.open(false);
    }

    /** The same failure in words that say what was tried and what to do; as it is, if it is none of the store's. */
    protected static RuntimeException explained(StoreAccess access, RuntimeException e) {
        return ConnectionErrors.told(access, e);
    }

    /** Does the work and returns the exit code. */
    protected abstract int answer(StoreAccess access, Output out);
}
