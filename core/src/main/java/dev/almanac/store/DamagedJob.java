package dev.almanac.store;

import dev.almanac.text.Printable;

/**
 * A document that cannot be read as a job.
 *
 * @param id of the specification document
 * @param key its key, or a question mark if that cannot be read either
 * @param reason what is wrong with it, its control characters escaped, at most 500 characters of it
 */
public record DamagedJob(String id, String key, String reason) {
    private static final int LONGEST_REASON = 500;

    /** Shortens and escapes the reason: it quotes what is stored, and is stored itself when the job is blocked. */
    public DamagedJob {
        reason = Printable.cut(reason, LONGEST_REASON);
    }
}
