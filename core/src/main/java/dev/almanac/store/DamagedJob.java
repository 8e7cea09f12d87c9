package dev.almanac.store;

import dev.almanac.text.Printable;

/**
 * A document that cannot be read as a job.
 *
 * @param id of the specification document
 * @param key its key, or a question mark if that cannot be read either
 * @param reason what is wrong with it, control characters escaped, at most 500 characters
 * @param readableElsewhere whether a newer version, or a machine with newer rules of time zones, may be able to read it
 */
public record DamagedJob(String id, String key, String reason, boolean readableElsewhere) {
    private static final int LONGEST_REASON = 500;

    /** A document that no version can read. */
    public DamagedJob(String id, String key, String reason) {
        this(id, key, reason, false);
    }

    /** Shortens and escapes the reason, since it quotes the document and is stored when the job is blocked. */
    public DamagedJob {
        reason = Printable.cut(reason, LONGEST_REASON);
    }

    /** What a person can do. */
    public String advice() {
        return readableElsewhere
                ? "others may be able to read it: use their release of Almanac, and their rules of time zones"
                : "correct it as docs/mongo-shell.md shows, 'Changing documents by hand'";
    }
}
