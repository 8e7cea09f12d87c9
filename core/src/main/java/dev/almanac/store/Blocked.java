package dev.almanac.store;

/**
 * Why a job cannot be run.
 *
 * @param kind what decisions depend on
 * @param reason for people; no decision depends on it
 */
public record Blocked(Kind kind, String reason) {
    /** What ends it. */
    public enum Kind {
        /** Its calendars leave it no fire (rule C5): an edit of them may give it one, and a user may run it by hand. */
        NO_FIRE,
        /** It cannot be run, or changed, as it is stored: a user corrects it. */
        TO_REPAIR
    }

    /** Of a job that is to be corrected. */
    public static Blocked toRepair(String reason) {
        return new Blocked(Kind.TO_REPAIR, reason);
    }
}
