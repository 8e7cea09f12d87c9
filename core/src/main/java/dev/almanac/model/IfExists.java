package dev.almanac.model;

/** How scheduling handles a live job of the same key (rules M3, S11, S12). */
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
    /**
     * Once per key: the stored job stays as it is and is returned, also if it has succeeded, failed or was cancelled, as long
     * as its retention lasts. So two calls for one thing make one job, however late the second one comes. With history
     * TROUBLE the document of a job that was scheduled so is kept on success; one that was scheduled otherwise is gone by then.
     */
    ONCE,
    /** {@link JobExistsException}. */
    FAIL
}
