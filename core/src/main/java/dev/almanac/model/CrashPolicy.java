package dev.almanac.model;

/** What happens to a run whose node died, hung or was cut off for longer than its lease. */
public enum CrashPolicy {
    /** It is run again: at least once. */
    RERUN,
    /** It is recorded as FAILED/CRASHED and not run again: at most once, for jobs that must not run twice. */
    FAIL
}
