package dev.almanac.time;

/** The grammar in which a schedule is written. It is declared, never guessed from the text. */
public enum CronDialect {
    /** {@code sec min hour day-of-month month day-of-week [year]}. */
    QUARTZ,
    /** {@code min hour day-of-month month day-of-week}, the rules of Vixie cron. */
    UNIX,
    /** {@code sec min hour day-of-month month day-of-week}, as Spring's {@code CronExpression} and {@code @Scheduled} take it. */
    SPRING,
    /** A fixed rate: {@code PT90M} or {@code 90m} of elapsed time, or {@code P1D}, {@code P2W}, {@code P1M}, {@code P1Y} by the calendar. */
    EVERY,
    /** A fixed delay: {@code PT10M} or {@code 10m} after the last run has ended. */
    EVERY_AFTER_END,
    /** {@code DTSTART:20260131T090000 RRULE:FREQ=...}, RFC 5545; needs the module almanac-calendars. */
    RRULE;

    /** Whether texts of this dialect are cron expressions. */
    public boolean isCron() {
        return this == QUARTZ || this == UNIX || this == SPRING;
    }

    /** Whether its expressions begin with the second. */
    boolean hasSeconds() {
        return this == QUARTZ || this == SPRING;
    }

    /** Whether Sunday is 0 and 7, and Monday is 1; else Sunday is 1. */
    boolean countsFromMonday() {
        return this == UNIX || this == SPRING;
    }
}
