package dev.almanac.store;

import dev.almanac.model.EncodedCommand;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run in addition to the plan that a user has asked for and that has not ended yet.
 *
 * @param at when it was asked for
 * @param command the contents of this run alone; absent = those of the job
 * @param trace the span in which it was asked for (rule S9); absent = in none that is known
 * @param after the number of the last claim before it, or before the request that it has replaced: later claims carry it out
 * @param started when the run was asked for that such a claim carries out: this one, once crash policy FAIL has it marked, or
 *     one that it has replaced during its claim; absent = this one
 */
public record ExtraRun(
        Instant at,
        @Nullable EncodedCommand command,
        @Nullable String trace,
        long after,
        @Nullable Instant started) {
    /** When the run was asked for that a later claim carries out: this one, or the one that it has replaced. */
    public Instant carriedOut() {
        return started == null ? at : started;
    }

    /** A claim is about to start it. */
    public ExtraRun marked() {
        return new ExtraRun(at, command, trace, after, at);
    }

    /** The run that was marked has ended, and this one is still to come. */
    public ExtraRun toCome() {
        return new ExtraRun(at, command, trace, after, null);
    }
}
