package dev.almanac.model;

import java.util.Objects;
import java.util.function.Consumer;

/** What is to be done with each job of a selection. Immutable; {@code Scheduler.apply} does it. */
public sealed interface JobAction {
    /** Cancels jobs; a run in progress goes on, or is interrupted. */
    record Cancel(CancelMode mode) implements JobAction {
        /** The mode is required. */
        public Cancel {
            Objects.requireNonNull(mode, "mode");
        }
    }

    /** Holds each of the jobs back by a pause of its own. */
    record PauseEach(Pause pause) implements JobAction {
        /** The pause is required. */
        public PauseEach {
            Objects.requireNonNull(pause, "pause");
        }
    }

    /** Ends the jobs' own pauses. */
    record Resume() implements JobAction {}

    /**
     * Takes the present claim of each job away by force, with its exclusive group: an operator's word that the code of the
     * run has ended, as when its machine was switched off, or does no harm if it goes on. The run counts as abandoned,
     * and is recovered by the crash policy at once. If its node still lives it is told that the lease is lost.
     */
    record Release() implements JobAction {}

    /** Runs each job once, now, beside its plan. */
    record RunNow() implements JobAction {}

    /**
     * Runs again what has failed for good, at most once per failed run however often it is asked for (rule A2): a
     * finished one-off as a new job of the same key and contents, a recurring job by an extra run.
     */
    record Rerun() implements JobAction {}

    /**
     * Changes some fields and leaves the others as they are stored, by compare-and-set.
     *
     * @param edit sets the fields on a builder that holds what is stored; may be called several times for one job
     */
    record Update(Consumer<JobSpecificationBuilder> edit) implements JobAction {
        /** The edit is required. */
        public Update {
            Objects.requireNonNull(edit, "edit");
        }
    }

    /** Cancels jobs; runs in progress go on to their end. */
    static JobAction cancel() {
        return new Cancel(CancelMode.LET_RUN);
    }

    /** Holds each of the jobs back. */
    static JobAction pause(Pause pause) {
        return new PauseEach(pause);
    }

    /** Ends the jobs' own pauses. */
    static JobAction resume() {
        return new Resume();
    }

    /** Takes the present claims away by force. */
    static JobAction release() {
        return new Release();
    }

    /** Runs each job once, now. */
    static JobAction runNow() {
        return new RunNow();
    }

    /** Runs again what has failed for good. */
    static JobAction rerun() {
        return new Rerun();
    }

    /** Changes the fields that the edit sets; it is called for several jobs at a time, on different threads. */
    static JobAction update(Consumer<JobSpecificationBuilder> edit) {
        return new Update(edit);
    }
}
