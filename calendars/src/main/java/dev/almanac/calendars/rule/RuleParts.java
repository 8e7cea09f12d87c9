package dev.almanac.calendars.rule;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a rule as they were written; an empty list is a part that was not. Filled by {@link RuleText} alone. */
final class RuleParts {
    LocalDateTime start = LocalDateTime.MIN;
    Frequency frequency = Frequency.DAILY;
    long interval = 1;
    int count;

    @Nullable
    LocalDateTime untilLocal;

    @Nullable
    Instant untilInstant;

    List<Integer> seconds = List.of();
    List<Integer> minutes = List.of();
    List<Integer> hours = List.of();
    List<Weekday> weekdays = List.of();
    List<Integer> daysOfMonth = List.of();
    List<Integer> daysOfYear = List.of();
    List<Integer> weeks = List.of();
    List<Integer> months = List.of();
    List<Integer> positions = List.of();
    DayOfWeek weekStart = DayOfWeek.MONDAY;

    /**
     * A day of the week.
     *
     * @param ordinal which one of the month or year, negative from its end; 0 = each
     */
    record Weekday(int ordinal, DayOfWeek day) {}

    /** Whether only the start determines the days. */
    boolean namesNoDays() {
        return weekdays.isEmpty() && daysOfMonth.isEmpty() && daysOfYear.isEmpty() && weeks.isEmpty();
    }
}
