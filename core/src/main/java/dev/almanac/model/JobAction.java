package dev.almanac.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An action on each job of a selection. Immutable; {@code Scheduler.apply} carries it out. */
public sealed interface JobAction {
    /** Cancels jobs; a run in progress continues, or is interrupted. */
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

    /**
     * Ends the jobs' own pauses.
     *
     * @param planned the beginning of a planned pause, which is withdrawn, or ended if it has begun; absent = the pause that has begun
     * @param seen the pause and the open failures of a job that the user has seen, by its key: with another pause or another
     *     failure it is refused and stays as it is; of other jobs all are meant
     */
    record Resume(@Nullable Instant planned, Map<String, SeenPause> seen) implements JobAction {
        /** Cuts the beginning to milliseconds, as a pause does, and copies what was seen. */
        public Resume {
            planned = planned == null ? null : planned.truncatedTo(ChronoUnit.MILLIS);
            seen = Map.copyOf(seen);
        }

        /** Of the pause and the failures that are found. */
        public Resume(@Nullable Instant planned) {
            this(planned, Map.of());
        }
    }

    /**
     * The own pause of a job as a user has seen it, and the failures that a resume closes with it.
     *
     * @param pause absent = the user has seen none
     */
    record SeenPause(@Nullable Pause pause, SeenFailures failures) {
        /** The failures are required. */
        public SeenPause {
            Objects.requireNonNull(failures, "failures");
        }
    }

    /**
     * Removes the current claim of each job by force, and with it its place in an exclusive group. An operator states
     * that the code of the run has ended, for example because its machine was switched off, or that it does no harm if
     * it continues. The run counts as abandoned, and is recovered at once as the crash policy says. If its node is
     * still live, the node finds that the lease is lost.
     *
     * @param claim the token of the lease that is meant: another claim stays; absent = the one that is found first
     */
    record Release(@Nullable Long claim) implements JobAction {}

    /**
     * Runs each job once, now, in addition to its plan.
     *
     * @param contents the command of this run alone, of the type of the job's; absent = the job's
     */
    record RunNow(@Nullable SchedulingCommand contents) implements JobAction {}

    /**
     * Repeats fires that have failed for good, at most once per failed run however often it is requested (rule A2): a
     * finished one-off as a new job of the same key and contents, a recurring job by an extra run. A one-off that is
     * named by its key is also repeated, once, if it has gone well or was cancelled.
     *
     * @param failedOnly whether a job whose newest run has not failed for good stays as it is, even if it is named
     * @param seen the open failures of a named job that the user has seen, by its key: with another one it stays as it is, since
     *     that would be run again, and closed if it goes well; of other jobs the newest is meant
     */
    record Rerun(boolean failedOnly, Map<String, SeenFailures> seen) implements JobAction {
        /** Copies them. */
        public Rerun {
            seen = Map.copyOf(seen);
        }
    }

    /**
     * Acknowledges the failures of each job: none of them is open any more (rule S19). Also of one-offs that have ended. It
     * counts as a look at them, so that {@code pauseAfterFailures} starts to count again.
     *
     * @param seen the open failures of a job that the user has seen, by its key: with another one it stays as it is; of other
     *     jobs all are meant
     */
    record Acknowledge(Map<String, SeenFailures> seen) implements JobAction {
        /** Copies them. */
        public Acknowledge {
            seen = Map.copyOf(seen);
        }
    }

    /**
     * The open failures of a job as a user has seen them. Their number alone does not tell them from as many later ones.
     *
     * @param count how many there were
     * @param at when the newest row of the job was written
     */
    record SeenFailures(int count, Instant at) {}

    /**
     * Changes some fields and leaves the others as they are stored, by compare-and-set.
     *
     * @param edit sets the fields on a builder with the stored contents; may be called several times for one job
     * @param pinning which fields are pinned with it; absent = none
     */
    record Update(
            Consumer<JobSpecificationBuilder> edit,
            @Nullable Pinning pinning) implements JobAction {
        /** The edit is required. */
        public Update {
            Objects.requireNonNull(edit, "edit");
        }

        /**
         * Also pins what the edit changes: until the job is unpinned, declarations leave these fields as they are stored.
         *
         * @param fields that are pinned besides, by their names in the document, also if the edit does not change them
         * @throws IllegalArgumentException if there is no such field
         */
        public Update pinned(String... fields) {
            return new Update(edit, new Pinning(Set.of(fields), null));
        }

        /**
         * As {@link #pinned}, until a moment.
         *
         * @throws IllegalArgumentException if there is no such field
         */
        public Update pinnedUntil(Instant end, String... fields) {
            return new Update(edit, new Pinning(Set.of(fields), Objects.requireNonNull(end, "end")));
        }
    }

    /**
     * How an update pins fields.
     *
     * @param fields that are pinned besides those that it changes
     * @param until when the pin ends by itself, cut to milliseconds; absent = it ends when the job is unpinned
     */
    record Pinning(Set<String> fields, @Nullable Instant until) {
        /** @throws IllegalArgumentException if there is no such field, or it is the key */
        public Pinning {
            fields = Set.copyOf(fields);
            until = until == null ? null : until.truncatedTo(ChronoUnit.MILLIS);
            StoredFields.checkNames(fields);
        }
    }

    /** Ends the pins of jobs; the fields keep their values until a declaration has others. */
    record Unpin() implements JobAction {}

    /** Cancels jobs; runs in progress continue to their end. */
    static JobAction cancel() {
        return new Cancel(CancelMode.LET_RUN);
    }

    /** Holds each of the jobs back. */
    static JobAction pause(Pause pause) {
        return new PauseEach(pause);
    }

    /** Ends the jobs' own pauses that have begun. */
    static JobAction resume() {
        return new Resume(null);
    }

    /** Withdraws the jobs' own pauses that are planned to begin then. */
    static JobAction resume(Instant planned) {
        return new Resume(Objects.requireNonNull(planned, "planned"));
    }

    /** Removes the current claims by force. */
    static JobAction release() {
        return new Release(null);
    }

    /** Removes the claim whose lease has this token, and no other. */
    static JobAction release(long claim) {
        return new Release(claim);
    }

    /** Runs each job once, now. */
    static JobAction runNow() {
        return new RunNow(null);
    }

    /** Runs each job once, now, with a command for this run alone, of the type of the job's. */
    static JobAction runNow(SchedulingCommand contents) {
        return new RunNow(Objects.requireNonNull(contents, "contents"));
    }

    /** Repeats fires that have failed for good, and finished one-offs that are named. */
    static JobAction rerun() {
        return new Rerun(false, Map.of());
    }

    /** As {@link #rerun()}, but of no named job that has failed again since a user has seen it, by the key of the job. */
    static JobAction rerun(Map<String, SeenFailures> seen) {
        return new Rerun(false, seen);
    }

    /** Repeats fires that have failed for good; other jobs stay as they are. */
    static JobAction rerunFailed() {
        return new Rerun(true, Map.of());
    }

    /** As {@link #rerunFailed()}, but of no named job that has failed again since a user has seen it, by the key of the job. */
    static JobAction rerunFailed(Map<String, SeenFailures> seen) {
        return new Rerun(true, seen);
    }

    /** Acknowledges the failures of jobs. */
    static JobAction acknowledge() {
        return new Acknowledge(Map.of());
    }

    /** Acknowledges the failures of jobs, but of none that has failed again since a user has seen them, by the key of the job. */
    static JobAction acknowledge(Map<String, SeenFailures> seen) {
        return new Acknowledge(seen);
    }

    /** Changes the fields that the edit sets; it is called for several jobs at a time, on different threads. */
    static Update update(Consumer<JobSpecificationBuilder> edit) {
        return new Update(edit, null);
    }

    /** Ends the pins of jobs. */
    static JobAction unpin() {
        return new Unpin();
    }
}
