package dev.almanac.model;

/** How scheduling handles a live job of the same key (rules M3, S11). */
public enum IfExists {
    /**
     * The stored job takes the new contents; equal contents change nothing. The job of another requestor is not replaced:
     * {@link JobExistsException}.
     */
    REPLACE,
    /** As REPLACE, also if the stored job is that of another requestor. */
    TAKE_OVER,
    /** The stored job stays as it is. */
    KEEP,
    /** {@link JobExistsException}. */
    FAIL
}
