package dev.almanac.store;

import dev.almanac.model.Pause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What users asked of a job while it was leased; the node that ends the claim applies it (rule P7).
 *
 * @param cancelRequested no later fire follows
 * @param interruptRequested the present run shall be interrupted
 * @param pause the job is held back; also the state of a paused job without a lease
 * @param runNow when a run at once was asked for that has not ended yet; absent = none
 * @param scheduleChanged when the schedule was changed under the lease: the next fire is computed from then
 */
public record Requests(
        boolean cancelRequested,
        boolean interruptRequested,
        @Nullable Pause pause,
        @Nullable Instant runNow,
        @Nullable Instant scheduleChanged) {
    /** Nothing was asked. */
    public static final Requests NONE = new Requests(false, false, null, null, null);

    /** Asks for the end of the job, and of the present run too if {@code interrupt}. */
    public Requests cancel(boolean interrupt) {
        return new Requests(true, interruptRequested || interrupt, pause, runNow, scheduleChanged);
    }

    /** Takes the wish for the end of the job back; the present run is still to be interrupted if that was asked for. */
    public Requests withoutCancel() {
        return new Requests(false, interruptRequested, pause, runNow, scheduleChanged);
    }

    /** The run that was to be interrupted is over; the next one is not to be. */
    public Requests withoutInterrupt() {
        return interruptRequested && !cancelRequested
                ? new Requests(false, false, pause, runNow, scheduleChanged)
                : this;
    }

    /** Holds the job back, or lets it go on ({@code null}). */
    public Requests withPause(@Nullable Pause newPause) {
        return new Requests(cancelRequested, interruptRequested, newPause, runNow, scheduleChanged);
    }

    /** Whether a run at once is asked for. */
    public boolean runNowRequested() {
        return runNow != null;
    }

    /** Asks for one run at once, or takes note that it was granted ({@code null}). */
    public Requests withRunNow(@Nullable Instant asked) {
        return new Requests(cancelRequested, interruptRequested, pause, asked, scheduleChanged);
    }

    /** The schedule was changed at that moment, or the change has been honoured ({@code null}). */
    public Requests withScheduleChanged(@Nullable Instant moment) {
        return new Requests(cancelRequested, interruptRequested, pause, runNow, moment);
    }
}
