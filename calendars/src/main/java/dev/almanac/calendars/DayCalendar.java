package dev.almanac.calendars;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A calendar that excludes whole days. Immutable and thread-safe. */
public final class DayCalendar extends RuleCalendar {
    private final Predicate<LocalDate> businessDay;

    DayCalendar(Predicate<LocalDate> businessDay, @Nullable ZoneId zone, String description) {
        super(new DayRule(businessDay), zone, description);
        this.businessDay = businessDay;
    }

    /** Whether the day is not excluded. */
    public boolean isBusinessDay(LocalDate date) {
        return businessDay.test(date);
    }

    @Override
    public DayCalendar inZone(ZoneId own) {
        return new DayCalendar(businessDay, own, description());
    }

    @Override
    public DayCalendar described(String text) {
        return new DayCalendar(businessDay, zone(), text);
    }

    /** Excludes what this or the other excludes, in this calendar's zone. */
    public DayCalendar and(DayCalendar other) {
        return new DayCalendar(
                date -> businessDay.test(date) && other.businessDay.test(date),
                zone(),
                description() + " and " + other.description());
    }
}
