package dev.almanac.engine.rules;

import dev.almanac.model.OpenRun;
import dev.almanac.model.StuckRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether an open run is stuck: asked to stop a while ago and still there; waiting for a decision, the executor or a write
 * for a while, during which no other node can take the job; or running for more than an hour without an {@code executionTimeout}. A pure
 * function.
 */
public final class StuckDecider {
    /** How long a run without a timeout may take. */
    static final Duration LONG_RUN = Duration.ofHours(1);

    private StuckDecider() {}

    /** @param patience how long stopping, starting, deciding and writing may take: the length of a lease */
    public static Optional<StuckRun> stuck(OpenRun run, Instant now, Duration patience) {
        if (run.place() == OpenRun.Place.DECISION) {
            return late(run, run.handedOver(), patience, "was claimed at ", now);
        }
        if (run.place() == OpenRun.Place.WRITE) {
            return late(run, run.handedOver(), patience, "has been ending since ", now);
        }
        return stuckCall(run, now, patience);
    }

    private static Optional<StuckRun> stuckCall(OpenRun run, Instant now, Duration patience) {
        if (hasTimedOut(run)) {
            return late(
                    run,
                    run.toldToStop(),
                    Duration.ZERO,
                    "exceeded its executionTimeout of " + run.executionTimeout()
                            + ", and its lease is held until its code has ended: it was asked to stop at ",
                    now);
        }
        if (run.toldToStop() != null) {
            return late(run, run.toldToStop(), patience, "was asked to stop at ", now);
        }
        if (run.started() == null) {
            return late(run, run.handedOver(), patience, "was handed over at ", now);
        }
        boolean bounded = run.executionTimeout() != null;
        return bounded
                ? Optional.empty()
                : late(run, run.started(), LONG_RUN, "has no timeout and has been running since ", now);
    }

    private static boolean hasTimedOut(OpenRun run) {
        return run.toldToStop() != null
                && run.started() != null
                && run.executionTimeout() != null
                && !run.toldToStop().isBefore(run.started().plus(run.executionTimeout()));
    }

    private static Optional<StuckRun> late(
            OpenRun run, @Nullable Instant from, Duration patience, String what, Instant now) {
        if (from == null || from.plus(patience).isAfter(now)) {
            return Optional.empty();
        }
        String why = "the run of job '" + run.jobSpecificationKey() + "' " + what + from + "; " + place(run);
        return Optional.of(new StuckRun(run, from.plus(patience), why));
    }

    /** The stage of a run, as the end of a sentence. */
    public static String place(OpenRun run) {
        return switch (run.place()) {
            case DECISION -> "what to do with it is not decided yet: it waits for its calendars or for the store";
            case WRITE -> "what follows is not written yet: it waits for its calendars or for the store";
            case EXECUTOR -> "the executor has not called its helper yet";
            case THREAD -> "thread '" + run.thread() + "' is inside its helper";
            case STAGE -> "the stage that its helper returned is pending, and no thread is known to work on it";
        };
    }
}
