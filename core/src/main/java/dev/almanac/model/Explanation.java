package dev.almanac.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job has not run, or when it will (rule O2). Sources: its document, its newest status rows, the reports of the
 * live nodes, and the claims of this node.
 *
 * @param jobSpecificationKey the key that was asked for
 * @param asOf the time of this explanation, by the server's clock
 * @param state what it is doing; absent if no job of the key is stored, or its document cannot be read
 * @param headline one sentence: the job, and the decisive reason
 * @param nextStart when the next attempt is planned, a retry included; lies in the past if it waits or runs; absent if
 *     none is planned
 * @param nextFireTimes the planned fires from the present one on, at most five, as the calendars are now
 * @param reasons all reasons, the decisive one first, past events last; never empty
 */
public record Explanation(
        String jobSpecificationKey,
        Instant asOf,
        @Nullable JobState state,
        String headline,
        @Nullable Instant nextStart,
        List<Instant> nextFireTimes,
        List<Reason> reasons) {

    /** Copies the lists. */
    public Explanation {
        nextFireTimes = List.copyOf(nextFireTimes);
        reasons = List.copyOf(reasons);
    }

    /** Whether one of the reasons is of this kind. */
    public boolean has(Kind kind) {
        return reasons.stream().anyMatch(reason -> reason.kind() == kind);
    }

    /**
     * One reason.
     *
     * @param kind what it is, for programs
     * @param text what it is, for people; continues a sentence that begins with "the job"
     * @param since from when on; absent if that is not known
     * @param until to when at the latest; absent if it has no end that is known
     * @param who the node, the user, the calendar or the job that it comes from; absent if there is none
     * @param discreet the text for those who may not see the jobs of all applications; absent if it is the same
     */
    public record Reason(
            Kind kind,
            String text,
            @Nullable Instant since,
            @Nullable Instant until,
            @Nullable String who,
            @Nullable String discreet) {
        /** One that tells of no other job. */
        public Reason(Kind kind, String text, @Nullable Instant since, @Nullable Instant until, @Nullable String who) {
            this(kind, text, since, until, who, null);
        }
    }

    /** Kinds of reasons. */
    public enum Kind {
        /** No job of this key is stored. */
        UNKNOWN_KEY,
        /** Its document cannot be read. */
        DAMAGED,
        /** It has finished or was cancelled. */
        FINISHED,
        /** A node holds a lease on it; {@code who} is that node. */
        LEASED,
        /** A claim of it has ended without a recorded outcome; it is claimed again. */
        RECOVERY_PENDING,
        /** It was cancelled while it was claimed. */
        CANCEL_REQUESTED,
        /** It is blocked until a user repairs it. */
        BLOCKED,
        /** It is paused; {@code who} is the author. */
        PAUSED,
        /** No live node takes its command type or its priority, or all that do are on standby; {@code who} is the author of one. */
        NO_NODE,
        /** This node leaves it to others. */
        NOT_HERE,
        /** It names calendars that this node does not have. */
        UNKNOWN_CALENDAR,
        /** Its fires cannot be computed. */
        UNPLANNABLE,
        /**
         * All slots of its exclusive group are taken; {@code who} is one of the holders; if there is only one, the text
         * names its node.
         */
        WAITING_FOR_GROUP,
        /** The rate of its exclusive group is used up for the moment. */
        WAITING_FOR_RATE,
        /** An earlier fire of its backfill has not ended; {@code who} is the job of that, {@code until} when a node looks again. */
        WAITING_FOR_EARLIER,
        /** It is due, and the nodes that could claim it are busy with other jobs, or more urgent ones come first. */
        SLOTS_TAKEN,
        /** An attempt has failed and the next one is planned. */
        BACKING_OFF,
        /** Its failure command is to be delivered. */
        FAILURE_DELIVERY,
        /** Its run has ended and its follow-ups are being stored; or they will be, once a run ends. */
        FOLLOW_UPS,
        /** A user asked for a run at once. */
        RUN_NOW,
        /** Its run has ended, or its schedule was changed, where what follows could not be planned. */
        UNPLANNED,
        /** It is due and not claimed yet. */
        DUE,
        /** Its next fire lies in the future. */
        FUTURE,
        /** It is live and has no due time, although it is neither paused nor blocked. */
        NO_DUE_TIME,
        /** Its {@code spread} delays each of its fires. */
        SPREAD,
        /** Its next fire is counted from the end of its last run. */
        AFTER_END,
        /** Its {@code missedFireGrace}: a fire that has passed by less is not missed. */
        GRACE,
        /** Its start deadline: a fire starts no later than so long after its time, or not at all. */
        START_DEADLINE,
        /** The start deadline of its planned fire, or the end of a one-off, is over: the next claim records that, and runs nothing. */
        TOO_LATE,
        /** It passes the state that its last run has saved to the next one. */
        SAVED_STATE,
        /** It has failed for good in some fires in a row, and its {@code pauseAfterFailures} counts them. */
        FAILURES_COUNTED,
        /** A calendar has moved its next fire; {@code who} is the calendar. */
        SHIFTED,
        /** A calendar excludes fires, or has excluded one; {@code who} is the calendar. */
        EXCLUDED,
        /** A clock change has moved its next fire. */
        CLOCK_CHANGE,
        /** Planned fires have passed without a run. */
        MISSED,
        /** A claim has ended without a recorded outcome. */
        ABANDONED,
        /** A fire has failed for good. */
        FAILED
    }
}
