package dev.almanac.time;

/** The grammar in which a cron expression is written. It is declared, never guessed from the number of fields. */
public enum CronDialect {
    /** {@code sec min hour day-of-month month day-of-week [year]}. */
    QUARTZ,
    /** {@code min hour day-of-month month day-of-week}, the rules of Vixie cron. */
    UNIX
}
