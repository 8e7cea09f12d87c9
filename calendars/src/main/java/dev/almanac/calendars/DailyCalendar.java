package dev.almanac.calendars;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** A calendar that excludes a range of each day, or keeps only that. Immutable and thread-safe. */
public final class DailyCalendar extends RuleCalendar {
    private final DailyRule daily;

    DailyCalendar(DailyRule rule, @Nullable ZoneId zone, String description) {
        super(rule, zone, description);
        this.daily = rule;
    }

    /** Keeps what this excludes, and excludes what this keeps. */
    public DailyCalendar inverted() {
        return new DailyCalendar(new DailyRule(daily.start(), daily.end(), !daily.inverted()), zone(), description());
    }

    @Override
    public DailyCalendar inZone(ZoneId own) {
        return new DailyCalendar(daily, own, description());
    }

    @Override
    public DailyCalendar described(String text) {
        return new DailyCalendar(daily, zone(), text);
    }
}
