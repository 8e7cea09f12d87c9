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
    /** The key of a document that has none that can be read. */
    public static final String UNNAMED = "?";

    private static final int LONGEST_REASON = 500;

    /** A document that no version can read. */
    public DamagedJob(String id, String key, String reason) {
        this(id, key, reason, false);
    }

    /** Shortens and escapes the reason, since it quotes the document and is stored when the job is blocked. */
    public DamagedJob {
        reason = Printable.cut(reason, LONGEST_REASON);
    }

    /** Whether its key can be read, so that commands that take keys can find it. */
    public boolean isNamed() {
        return !key.equals(UNNAMED);
    }

    /** Which document, such as {@code the document 17 of job 'a'}. */
    public String words() {
        return "the document " + Printable.value(id)
                + (isNamed() ? " of job '" + Printable.value(key) + "'" : " of a job whose key cannot be read");
    }

    /** What a person can do. */
    public String advice() {
        return readableElsewhere
                ? "others may be able to read it: use their release of Almanac, and their rules of time zones"
                : "correct it" + (isNamed() ? "" : ", by its _id,")
                        + " as docs/mongo-shell.md shows, 'Changing documents by hand'";
    }
}
