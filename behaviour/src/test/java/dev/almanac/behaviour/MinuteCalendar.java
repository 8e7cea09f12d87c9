package dev.almanac.behaviour;

import dev.almanac.calendars.Calendars;
import dev.almanac.time.ExclusionCalendar;
import java.util.Map;

/** A calendar of tests, which excludes minutes of each hour. */
final class MinuteCalendar {
    private static final String MINUTES = "minutes";

    private MinuteCalendar() {}

    /** Its definition, with minutes as cron writes them. */
    static Map<String, Object> excluding(String minutes) {
        return Map.of(MINUTES, minutes);
    }

    static ExclusionCalendar read(Map<String, Object> definition) {
        return Calendars.cron("* " + definition.get(MINUTES) + " * * * ?");
    }
}
