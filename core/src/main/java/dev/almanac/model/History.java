package dev.almanac.model;

/** Which status rows of a job are written. */
public enum History {
    /** Each state change has its row. */
    ALL,
    /**
     * Only problems and requests of users: failed attempts and failures, abandoned runs, missed and excluded fires,
     * pauses, changes and cancellations. Each of these rows is written with its {@code deleteTime}. A one-off that
     * succeeded is deleted at once, unless it was changed, belongs to an application, is a follow-up, or was
     * scheduled with {@link IfExists#ONCE}.
     */
    TROUBLE
}
