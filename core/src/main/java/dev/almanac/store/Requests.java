package dev.almanac.store;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.Pause;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Users' requests that were noted while a job was leased; the node that ends the claim applies them (rule P7).
 *
 * @param cancelRequested no later fire follows
 * @param interruptRequested the run in progress is to be interrupted
 * @param pause the job is paused; also set for a paused job without a lease
 * @param extraRun the run now that was requested and has not ended yet; absent = none
 * @param scheduleChanged a change of the schedule that is not applied yet; absent = none
 * @param personal changes of the contents that persons made and that were not replaced since, the oldest first
 */
public record Requests(
        boolean cancelRequested,
        boolean interruptRequested,
        @Nullable Pause pause,
        @Nullable ExtraRun extraRun,
        @Nullable ScheduleChange scheduleChanged,
        List<PersonalChange> personal) {
    /** No requests. */
    public static final Requests NONE = new Requests(false, false, null, null, null, List.of());

    /** Copies the changes. */
    public Requests {
        personal = List.copyOf(personal);
    }

    /** Requests the end of the job, and of the run in progress if {@code interrupt}. */
    public Requests cancel(boolean interrupt) {
        return new Requests(true, interruptRequested || interrupt, pause, extraRun, scheduleChanged, personal);
    }

    /** Withdraws the cancel; a requested interrupt of the run in progress stays. */
    public Requests withoutCancel() {
        return new Requests(false, interruptRequested, pause, extraRun, scheduleChanged, personal);
    }

    /** Removes the interrupt, since the run that was to be interrupted is over. */
    public Requests withoutInterrupt() {
        return interruptRequested && !cancelRequested
                ? new Requests(false, false, pause, extraRun, scheduleChanged, personal)
                : this;
    }

    /** Pauses the job, or resumes it ({@code null}). */
    public Requests withPause(@Nullable Pause newPause) {
        return new Requests(cancelRequested, interruptRequested, newPause, extraRun, scheduleChanged, personal);
    }

    /** Whether a run now is requested. */
    public boolean runNowRequested() {
        return extraRun != null;
    }

    /** When a run now was requested that has not ended yet; absent = none was. */
    public @Nullable Instant runNow() {
        return extraRun == null ? null : extraRun.at();
    }

    /** The contents of the run that was requested then, if they are not those of the job. */
    public @Nullable EncodedCommand contentsOf(@Nullable Instant asked) {
        return extraRun == null || !extraRun.at().equals(asked) ? null : extraRun.command();
    }

    /** The span in which the run was requested that was requested then (rule S9); absent = in none that is known. */
    public @Nullable String traceOf(@Nullable Instant asked) {
        return extraRun == null || !extraRun.at().equals(asked) ? null : extraRun.trace();
    }

    /** Requests one run now with the contents of the job, or removes the request after its run ({@code null}). */
    public Requests withRunNow(@Nullable Instant asked) {
        return withExtraRun(asked == null ? null : new ExtraRun(asked, null, null, 0, null));
    }

    /** Requests one run now, or removes the request after its run ({@code null}). */
    public Requests withExtraRun(@Nullable ExtraRun asked) {
        return new Requests(cancelRequested, interruptRequested, pause, asked, scheduleChanged, personal);
    }

    /** Notes a change of the schedule, or that it has been applied ({@code null}). */
    public Requests withScheduleChanged(@Nullable ScheduleChange change) {
        return new Requests(cancelRequested, interruptRequested, pause, extraRun, change, personal);
    }

    /** With these changes of persons in place of those before. */
    public Requests withPersonal(List<PersonalChange> changes) {
        return new Requests(cancelRequested, interruptRequested, pause, extraRun, scheduleChanged, changes);
    }
}
