package dev.almanac.model;

/** How {@code scheduleJobs} reports items that were refused (rule S13). */
public enum IfRefused {
    /** {@link BulkScheduleException}, after the last item. */
    THROW,
    /** As results with an error, which the caller looks at. */
    REPORT
}
