package dev.almanac.helper;

import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A helper for one type of commands, made of functions: {@link SchedulingHelper#of} and {@link SchedulingHelper#ofAsync}
 * make one. Immutable; as thread-safe as its functions.
 *
 * @param <C> the type of the commands: a registered class, or an interface of several
 */
public final class TypedHelper<C extends SchedulingCommand> implements SchedulingHelper {
    /**
     * Runs a command; the run has ended when it returns.
     *
     * @param <C> the type of the commands
     */
    @FunctionalInterface
    public non-sealed interface Call<C extends SchedulingCommand> extends CommandRunner<C> {
        /**
         * Runs a command.
         *
         * @param command the command
         * @param run this run
         * @throws Exception if the attempt failed; the retry policy of
         *     the job decides what follows
         */
        void run(C command, Execution run) throws Exception;
    }

    /**
     * Runs a command that starts late; the run has ended when it returns.
     *
     * @param <C> the type of the commands
     */
    @FunctionalInterface
    public interface LateCall<C extends SchedulingCommand> {
        /**
         * Runs a command that starts late.
         *
         * @param command what is to be done
         * @param run the context of this run
         * @param overThreshold by how much the start exceeded planned instant plus threshold, more than zero
         * @throws Exception if the attempt failed; the retry policy of the job decides what follows
         */
        void run(C command, Execution run, Duration overThreshold) throws Exception;
    }

    /**
     * Begins to run a command; the run has ended when the stage has.
     *
     * @param <C> the type of the commands
     */
    @FunctionalInterface
    public interface AsyncCall<C extends SchedulingCommand> {
        /**
         * Begins to run a command.
         *
         * @param command what is to be done
         * @param run the context of this run
         * @return ends when the run does; what it holds is ignored
         * @throws Exception if the attempt failed; the same as a stage that ends exceptionally
         */
        CompletionStage<?> run(C command, Execution run) throws Exception;
    }

    /**
     * Begins to run a command that starts late; the run has ended when the stage has.
     *
     * @param <C> the type of the commands
     */
    @FunctionalInterface
    public interface AsyncLateCall<C extends SchedulingCommand> {
        /**
         * Begins to run a command that starts late.
         *
         * @param command what is to be done
         * @param run the context of this run
         * @param overThreshold by how much the start exceeded planned instant plus threshold, more than zero
         * @return ends when the run does; what it holds is ignored
         * @throws Exception if the attempt failed; the same as a stage that ends exceptionally
         */
        CompletionStage<?> run(C command, Execution run, Duration overThreshold) throws Exception;
    }

    private final Class<C> type;
    private final AsyncCall<C> onTime;
    private final AsyncLateCall<C> late;

    private TypedHelper(Class<C> type, AsyncCall<C> onTime, AsyncLateCall<C> late) {
        this.type = type;
        this.onTime = onTime;
        this.late = late;
    }

    static <C extends SchedulingCommand> TypedHelper<C> ofStage(Class<C> type, AsyncCall<C> call) {
        return new TypedHelper<>(type, call, (command, run, overThreshold) -> call.run(command, run));
    }

    static <C extends SchedulingCommand> TypedHelper<C> of(Class<C> type, Call<C> call) {
        return ofStage(type, (command, run) -> {
            call.run(command, run);
            return CompletableFuture.completedFuture(null);
        });
    }

    /**
     * The same helper with another function for runs that start later than the job's {@code lateExecutionThreshold};
     * without one a late run is run like any other.
     */
    public TypedHelper<C> late(LateCall<C> call) {
        return lateAsync((command, run, overThreshold) -> {
            call.run(command, run, overThreshold);
            return CompletableFuture.completedFuture(null);
        });
    }

    /** As {@link #late}, with a function that returns a stage. */
    public TypedHelper<C> lateAsync(AsyncLateCall<C> call) {
        return new TypedHelper<>(type, onTime, call);
    }

    /** The type that was given. */
    @Override
    public Optional<Set<Class<? extends SchedulingCommand>>> commandTypes() {
        return Optional.of(Set.of(type));
    }

    @Override
    public boolean supports(SchedulingCommand command) {
        return type.isInstance(command);
    }

    @Override
    public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
        try {
            return withoutValue(onTime.run(type.cast(command), execution));
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Void> lateExecute(
            String id, SchedulingCommand command, Duration overThreshold, Execution execution) {
        try {
            return withoutValue(late.run(type.cast(command), execution, overThreshold));
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletionStage<Void> withoutValue(CompletionStage<?> stage) {
        Objects.requireNonNull(stage, "the function of the helper returned no stage");
        End end = new End(stage);
        stage.whenComplete((value, error) -> {
            if (error == null) {
                end.complete(null);
            } else {
                end.completeExceptionally(error);
            }
        });
        return end;
    }

    /**
     * Ends when the given stage does, and never before it: a cancel is only passed on, since the lease of the run is held
     * until its code has ended (rule X8), and a stage may refuse to be cancelled.
     */
    private static final class End extends CompletableFuture<Void> {
        private final CompletionStage<?> stage;

        End(CompletionStage<?> stage) {
            this.stage = stage;
        }

        /** What the stage throws is thrown, such as that it has no future. */
        @Override
        public boolean cancel(boolean mayInterrupt) {
            stage.toCompletableFuture().cancel(mayInterrupt);
            return isCancelled();
        }
    }
}
