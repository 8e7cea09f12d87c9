package dev.almanac.helper;

import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The service's side of a job: runs the commands that it supports. Implementations are called by many threads at a
 * time, never twice at a time for the same job. A run ends when its stage ends; throwing is the same as completing
 * exceptionally. No thread waits for a stage.
 *
 * <p>Implement the methods with or without the {@link Execution}; those with it call those without unless overridden.
 */
public interface SchedulingHelper {
    /**
     * Runs a command on time.
     *
     * @param id the job's {@code triggerIdentifier}, or {@code failureIdentifier} with a failure command
     */
    CompletionStage<Void> execute(String id, SchedulingCommand command);

    /**
     * Runs a command whose start exceeded its planned instant by more than the job's threshold (rule R3).
     *
     * @param overThreshold by how much the start exceeded planned instant plus threshold, more than zero
     */
    default CompletionStage<Void> lateExecute(String id, SchedulingCommand command, Duration overThreshold) {
        return execute(id, command);
    }

    /** Whether this helper runs such commands. Of all helpers the first registered one that says yes gets it. */
    boolean supports(SchedulingCommand command);

    /** As {@link #execute(String, SchedulingCommand)}, with what there is to know about the run. */
    default CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
        return execute(id, command);
    }

    /** As {@link #lateExecute(String, SchedulingCommand, Duration)}, with what there is to know about the run. */
    default CompletionStage<Void> lateExecute(
            String id, SchedulingCommand command, Duration overThreshold, Execution execution) {
        return lateExecute(id, command, overThreshold);
    }

    /** As {@link #supports(SchedulingCommand)}, with the run that is about to start. */
    default boolean supports(SchedulingCommand command, Execution execution) {
        return supports(command);
    }
}
