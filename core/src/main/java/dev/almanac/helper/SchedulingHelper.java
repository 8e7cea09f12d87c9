package dev.almanac.helper;

import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Code of the service that runs the commands that it supports. Implementations are called by many threads concurrently,
 * but never concurrently for the same job. A run ends when its stage ends; throwing is the same as completing
 * exceptionally. No thread waits for a stage.
 *
 * <p>A helper for one type of commands is a function: {@link #of} and {@link #ofAsync}. One that serves many types
 * implements {@link #supports(SchedulingCommand)} and one of the two {@code execute} methods; those with an
 * {@link Execution} call those without unless overridden.
 */
public non-sealed interface SchedulingHelper extends CommandRunner<SchedulingCommand> {
    /**
     * A helper for one type of commands.
     *
     * @param type a registered class, or an interface of several
     * @param call runs a command; the run has ended when it returns, and the attempt has failed if it throws
     */
    static <C extends SchedulingCommand> TypedHelper<C> of(Class<C> type, TypedHelper.Call<C> call) {
        return TypedHelper.of(type, call);
    }

    /**
     * A helper for one type of commands whose runs end later than the call.
     *
     * @param type a registered class, or an interface of several
     * @param call begins to run a command; the run has ended when the stage that it returns has
     */
    static <C extends SchedulingCommand> TypedHelper<C> ofAsync(Class<C> type, TypedHelper.AsyncCall<C> call) {
        return TypedHelper.ofStage(type, call);
    }

    /**
     * Runs a command on time.
     *
     * @param id the job's {@code triggerIdentifier}, or {@code failureIdentifier} with a failure command
     * @throws IllegalStateException if the helper overrides neither this nor the overload with the execution
     */
    default CompletionStage<Void> execute(String id, SchedulingCommand command) {
        throw new NoExecuteException(this);
    }

    /**
     * Runs a command whose start exceeded its planned instant by more than the job's threshold (rule R3).
     *
     * @param overThreshold by how much the start exceeded planned instant plus threshold, more than zero
     */
    default CompletionStage<Void> lateExecute(String id, SchedulingCommand command, Duration overThreshold) {
        return execute(id, command);
    }

    /** Whether this helper runs such commands. The first registered helper that returns true gets the command. */
    boolean supports(SchedulingCommand command);

    /**
     * The classes or interfaces of the commands that this helper runs, if that is known without a command: then it runs
     * all commands that are instances of one of them, and no others. The result must not change.
     *
     * @return empty if it is not known, as by default
     */
    default Optional<Set<Class<? extends SchedulingCommand>>> commandTypes() {
        return Optional.empty();
    }

    /** As {@link #execute(String, SchedulingCommand)}, with the execution. */
    default CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
        return execute(id, command);
    }

    /**
     * As {@link #lateExecute(String, SchedulingCommand, Duration)}, with the execution. If a helper overrides only
     * {@link #execute(String, SchedulingCommand, Execution)}, that one is called.
     */
    default CompletionStage<Void> lateExecute(
            String id, SchedulingCommand command, Duration overThreshold, Execution execution) {
        try {
            return lateExecute(id, command, overThreshold);
        } catch (NoExecuteException e) {
            if (e.isOf(this)) {
                return execute(id, command, execution);
            }
            throw e;
        }
    }

    /** As {@link #supports(SchedulingCommand)}, with the run that is about to start. */
    default boolean supports(SchedulingCommand command, Execution execution) {
        return supports(command);
    }
}
