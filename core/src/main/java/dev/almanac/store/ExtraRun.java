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
 */
public record ExtraRun(
        Instant at,
        @Nullable EncodedCommand command,
        @Nullable String trace) {}
