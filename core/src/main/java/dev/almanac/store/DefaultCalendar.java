package dev.almanac.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The default calendar, which applies to all recurring jobs that do not ignore it, in addition to their own. It is
 * applied when fires are planned and is never copied into a job, so that a new one applies to all of them at once.
 *
 * @param name of the calendar; absent = none
 * @param version 1 for the first one that was ever put, one more with each other; 0 = none was ever put
 * @param latestUpdate when this version was stored, by the server's clock
 * @param planned the newest version that all jobs were planned by; less than the version = jobs are still to be planned
 * @param author who put it
 */
public record DefaultCalendar(@Nullable String name, long version, Instant latestUpdate, long planned, String author) {
    /** None was ever put. */
    public static final DefaultCalendar NONE = new DefaultCalendar(null, 0, Instant.EPOCH, 0, "");

    /** Whether jobs are still to be planned by this version. */
    public boolean isPlanningOwed() {
        return planned < version;
    }

    /** The same, by whose version all jobs are planned. */
    public DefaultCalendar withPlanned() {
        return new DefaultCalendar(name, version, latestUpdate, version, author);
    }

    /** What follows it. */
    public DefaultCalendar next(@Nullable String calendar, Instant now, String who) {
        return new DefaultCalendar(calendar, version + 1, now, planned, who);
    }
}
