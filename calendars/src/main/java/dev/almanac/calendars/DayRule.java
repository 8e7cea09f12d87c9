package dev.almanac.calendars;

import java.time.LocalDate;
import java.util.function.Predicate;

/** Includes whole days. */
record DayRule(Predicate<LocalDate> included) implements LocalRule {
    private static final int MOST_DAYS = 20 * 366;

    @Override
    public boolean includes(long local) {
        return included.test(LocalDate.ofEpochDay(Math.floorDiv(local, DAY)));
    }

    @Override
    public long nextIncluded(long local) {
        if (includes(local)) {
            return local;
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(local, DAY));
        for (int days = 1; days <= MOST_DAYS; days++) {
            if (included.test(date.plusDays(days))) {
                return date.plusDays(days).toEpochDay() * DAY;
            }
        }
        return NONE;
    }
}
