package dev.almanac.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of one planned fire, or of several that follow each other and share the account (rule S22).
 *
 * @param fireTime the planned instant; of several that of the first
 * @param last the planned instant of the last; equals {@code fireTime} if it is one
 * @param count how many there are, 1 or more
 * @param kind what became of them
 * @param nominalFireTime the instant before a calendar shifted it; absent if none did, or of several
 * @param outcome how the run ended; absent unless it is {@link Kind#RAN}
 * @param at when the row was written from which it is known; absent if no row tells
 * @param node where it ran; absent unless it is {@link Kind#RAN}
 * @param by who made the change or the request that decided; absent if none did, or if that is not known
 * @param detail a sentence for people; absent if there is nothing to add
 */
public record FireAccount(
        Instant fireTime,
        Instant last,
        long count,
        Kind kind,
        @Nullable Instant nominalFireTime,
        @Nullable Outcome outcome,
        @Nullable Instant at,
        @Nullable String node,
        @Nullable String by,
        @Nullable String detail) {

    /** Checks that what is required is there. */
    public FireAccount {
        Objects.requireNonNull(fireTime, "fireTime");
        Objects.requireNonNull(last, "last");
        Objects.requireNonNull(kind, "kind");
    }

    /** What became of a planned fire. Exactly one of these is true. */
    public enum Kind {
        /** It ran, and its run has ended; the outcome says how. */
        RAN,
        /** It passed without a run: a newer fire ran instead, or there were more than RUN_ALL runs. */
        MISSED,
        /** Its start deadline, or the end of its job, passed before it could start. */
        TOO_LATE,
        /** A calendar or a clock change left it out. */
        EXCLUDED,
        /** Its job is paused; it is still to be judged. */
        PAUSED,
        /** It runs, is retried, or is due; it is still to be judged. */
        WAITING,
        /** An edit of a calendar or a change of the schedule took it away before it was due to run. */
        MOVED,
        /** The job was cancelled before it ran. */
        CANCELED,
        /** Its job keeps no rows of runs that went well, and no other row tells of it. */
        NOT_KEPT,
        /** Nothing tells what became of it: its run, or its rows, were lost. */
        UNACCOUNTED
    }
}
