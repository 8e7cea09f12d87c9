package dev.almanac.testkit.faults;

/**
 * The methods of {@link dev.almanac.store.JobStore}, {@link dev.almanac.store.ClusterStore} and {@link
 * dev.almanac.store.StoreInspection} that go over a network.
 */
public enum StoreCall {
    /** {@code open}. */
    OPEN,
    /** {@code serverTime}. */
    SERVER_TIME,
    /** {@code insert}. */
    INSERT,
    /** {@code find}. */
    FIND,
    /** {@code newest}. */
    NEWEST,
    /** {@code load}. */
    LOAD,
    /** {@code list}. */
    LIST,
    /** {@code plannedByOthers}. */
    PLANNED_BY_OTHERS,
    /** {@code lastLives}. */
    LAST_LIVES,
    /** {@code running}. */
    RUNNING,
    /** {@code rows}. */
    ROWS,
    /** {@code due}. */
    DUE,
    /** {@code otherDueTypes}. */
    OTHER_DUE_TYPES,
    /** {@code claim}. */
    CLAIM,
    /** {@code renew}. */
    RENEW,
    /** {@code write}. */
    WRITE,
    /** {@code writeRows}. */
    WRITE_ROWS,
    /** {@code keepRows}. */
    KEEP_ROWS,
    /** {@code watch}, and each reading of what it opens. */
    WATCH,
    /** {@code inspect}. */
    INSPECT,
    /** {@code missingRows}. */
    MISSING_ROWS,
    /** {@code newestRows}. */
    NEWEST_ROWS,
    /** {@code removeDamaged}. */
    REMOVE_DAMAGED,
    /** {@code report}. */
    REPORT,
    /** {@code nodes}. */
    NODES,
    /** {@code requestInterrupt}. */
    REQUEST_INTERRUPT,
    /** {@code takeTurn}. */
    TAKE_TURN,
    /** {@code declared}. */
    DECLARED,
    /** {@code declare}. */
    DECLARE,
    /** {@code addMinute}. */
    ADD_MINUTE,
    /** {@code minutes}. */
    MINUTES,
    /** {@code missed}. */
    MISSED,
    /** {@code purge}. */
    PURGE,
    /** {@code liveJobs}. */
    LIVE_JOBS,
    /** {@code openFailures}. */
    OPEN_FAILURES,
    /** {@code orders}. */
    CONTROL,
    /** {@code pause}. */
    PAUSE,
    /** {@code resume}. */
    RESUME,
    /** {@code calendars}. */
    CALENDARS,
    /** {@code putCalendar}. */
    PUT_CALENDAR,
    /** {@code calendarVersions}. */
    CALENDAR_VERSIONS,
    /** {@code putGroup}. */
    PUT_GROUP,
    /** {@code countClaims}. */
    COUNT_CLAIMS,
    /** {@code checkedZoneRules}. */
    CHECKED_ZONE_RULES
}
