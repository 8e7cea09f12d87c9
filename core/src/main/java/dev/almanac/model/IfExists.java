package dev.almanac.model;

/** How scheduling handles a live job of the same key (rule M3). */
public enum IfExists {
    /** The stored job takes the new contents; equal contents change nothing. */
    REPLACE,
    /** The stored job stays as it is. */
    KEEP,
    /** {@link JobExistsException}. */
    FAIL
}
