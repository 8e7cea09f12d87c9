package dev.almanac.model;

/** What scheduling does when a live job has the same key (rule M3). */
public enum IfExists {
    /** The stored job takes the new contents; equal contents change nothing. */
    REPLACE,
    /** The stored job stays as it is. */
    KEEP,
    /** {@link JobExistsException}. */
    FAIL
}
