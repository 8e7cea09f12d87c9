package dev.almanac.engine.port;

import java.time.Duration;
import java.util.List;

/**
 * A call of calendars that has not returned for the length of a lease.
 *
 * @param job the key of the job that was to be planned
 * @param calendars the names of its calendars, one of which does not return
 * @param inCall for how long
 * @param thread the name of the thread that calls it
 */
public record SlowCalendar(String job, List<String> calendars, Duration inCall, String thread) {}
