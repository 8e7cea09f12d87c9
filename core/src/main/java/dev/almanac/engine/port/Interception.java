package dev.almanac.engine.port;

import dev.almanac.helper.Execution;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.model.SchedulingCommand;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The call of a helper with the interceptors around it (rule S8). What comes first decides: the answer of the helper, or an
 * exception of the helper or of an interceptor that did not call it. No interceptor further out can replace it, and what it
 * throws afterwards is contained. Confined to the thread of the run: what an interceptor keeps, or hands to another thread, calls
 * nothing, so that no helper is called without the lease of its attempt.
 */
public final class Interception {
    private final List<RunInterceptor> interceptors;
    private final ContainedFailures failures;
    private final Execution execution;
    private final SchedulingCommand command;
    private final Callable<CompletionStage<Void>> helper;
    private final Thread thread = Thread.currentThread();
    private int entered;
    private boolean returned;
    private @Nullable CompletionStage<Void> answer;
    private @Nullable Throwable thrown;

    /**
     * Made on the thread of the run.
     *
     * @param helper returns the stage of the run
     */
    public Interception(
            List<RunInterceptor> interceptors,
            ContainedFailures failures,
            Execution execution,
            SchedulingCommand command,
            Callable<CompletionStage<Void>> helper) {
        this.interceptors = interceptors;
        this.failures = failures;
        this.execution = execution;
        this.command = command;
        this.helper = helper;
    }

    /** Returns the stage of the helper, or throws what has decided. */
    public CompletionStage<Void> call() throws Exception {
        enter(0);
        return outcome();
    }

    /** Calls the interceptor of that index, or after the last one the helper. */
    private void enter(int index) {
        Thread caller = Thread.currentThread();
        if (caller != thread) {
            throw new IllegalStateException("next.run() belongs to the thread of the run, '" + thread.getName()
                    + "', and was called on '" + caller.getName() + "'; the helper is not called");
        }
        if (index < entered) {
            throw new IllegalStateException("next.run() was called before");
        }
        if (returned) {
            throw new IllegalStateException(
                    "next.run() was called after its interceptor had returned; the helper is not called");
        }
        entered = index + 1;
        try {
            if (index == interceptors.size()) {
                answer = helper.call();
            } else {
                surround(interceptors.get(index), index + 1);
            }
        } catch (Throwable e) {
            if (answer == null && thrown == null) {
                thrown = e;
            } else if (thrown == null || e != thrown && e.getCause() != thrown) {
                failures.add("intercepting a run", e);
            }
        }
    }

    private void surround(RunInterceptor interceptor, int inner) throws Exception {
        try {
            interceptor.around(execution, command, () -> {
                enter(inner);
                return outcome().thenApply(Function.identity());
            });
        } finally {
            // those further out have been entered; what is left is further in
            returned = true;
        }
        if (entered == inner) {
            throw new IllegalStateException(
                    interceptor.getClass().getName() + " has neither called next.run() nor thrown anything");
        }
    }

    private CompletionStage<Void> outcome() throws Exception {
        CompletionStage<Void> stage = answer;
        if (stage != null) {
            return stage;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        throw thrown instanceof Exception exception ? exception : new IllegalStateException(thrown);
    }
}
