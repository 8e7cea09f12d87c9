package dev.almanac.console.connection;

import dev.almanac.console.terminal.Output;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that needs a database. Its exit code is the result of {@link #answer}. */
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

    /** Checks the options before a server is contacted. */
    protected void check() {}

    /** Opens the connection. Read-only commands never create a store. */
    protected StoreAccess open(ConnectionOptions where) {
        return where.open();
    }

    /**
     * The failure with a message of what was tried and what to do; other failures than those of the store are returned
     * as they are.
     */
    protected static RuntimeException explained(StoreAccess access, RuntimeException e) {
        return ConnectionErrors.explained(access, e);
    }

    /** Does the work and returns the exit code. */
    protected abstract int answer(StoreAccess access, Output out);
}
