package dev.almanac.calendars.rule;

import dev.almanac.calendars.rule.RuleParts.Weekday;
import java.time.LocalDate;
import java.util.List;

/**
 * Which days a rule means, each judged by itself; the intervals between them are not its concern. Days count from
 * 1970-01-01. Immutable.
 */
final class RuleDays {
    private final boolean yearly;
    private final int months;
    private final List<Integer> daysOfMonth;
    private final List<Integer> daysOfYear;
    private final List<Integer> weeks;
    private final List<Weekday> ordinals;
    private final int weekdays;
    private final boolean byWeekday;
    private final int weekStart;
    private final boolean ofYear;

    RuleDays(RuleParts parts) {
        LocalDate start = parts.start.toLocalDate();
        this.yearly = parts.frequency == Frequency.YEARLY;
        boolean byStart = parts.namesNoDays();
        boolean ofMonth = byStart && (yearly || parts.frequency == Frequency.MONTHLY);
        this.months = bits(byStart && yearly && parts.months.isEmpty() ? List.of(start.getMonthValue()) : parts.months);
        this.daysOfMonth = ofMonth ? List.of(start.getDayOfMonth()) : parts.daysOfMonth;
        this.daysOfYear = parts.daysOfYear;
        this.weeks = parts.weeks;
        this.ordinals =
                parts.weekdays.stream().filter(day -> day.ordinal() != 0).toList();
        int plain = bits(parts.weekdays.stream()
                .filter(day -> day.ordinal() == 0)
                .map(day -> day.day().getValue())
                .toList());
        boolean weekly = byStart && parts.frequency == Frequency.WEEKLY;
        this.weekdays = weekly ? 1 << start.getDayOfWeek().getValue() : plain;
        this.byWeekday = weekly || !parts.weekdays.isEmpty();
        this.weekStart = parts.weekStart.getValue();
        this.ofYear = yearly && parts.months.isEmpty();
    }

    private static int bits(List<Integer> values) {
        int bits = 0;
        for (int value : values) {
            bits |= 1 << value;
        }
        return bits;
    }

    /** The day itself if it is meant, else one after it that none that are meant lie before. */
    long from(long day) {
        LocalDate date = LocalDate.ofEpochDay(day);
        if (hasMonth(date)) {
            return isMeant(date) ? day : day + 1;
        }
        return day + date.lengthOfMonth() - date.getDayOfMonth() + 1;
    }

    /** The day itself if it is meant, else one before it that none that are meant lie after. */
    long upTo(long day) {
        LocalDate date = LocalDate.ofEpochDay(day);
        if (hasMonth(date)) {
            return isMeant(date) ? day : day - 1;
        }
        return day - date.getDayOfMonth();
    }

    private boolean hasMonth(LocalDate date) {
        return months == 0 || (months >> date.getMonthValue() & 1) != 0;
    }

    private boolean isMeant(LocalDate date) {
        return has(daysOfMonth, date.getDayOfMonth(), date.lengthOfMonth())
                && has(daysOfYear, date.getDayOfYear(), date.lengthOfYear())
                && (!byWeekday || isWeekday(date))
                && (weeks.isEmpty() || isInWeek(date));
    }

    /** An empty list names all. */
    private static boolean has(List<Integer> values, int place, int length) {
        if (values.isEmpty()) {
            return true;
        }
        for (int value : values) {
            if (value == place || value == place - length - 1) {
                return true;
            }
        }
        return false;
    }

    private boolean isWeekday(LocalDate date) {
        int day = date.getDayOfWeek().getValue();
        if ((weekdays >> day & 1) != 0) {
            return true;
        }
        int place = ofYear ? date.getDayOfYear() : date.getDayOfMonth();
        int length = ofYear ? date.lengthOfYear() : date.lengthOfMonth();
        for (Weekday wanted : ordinals) {
            if (wanted.day().getValue() == day && wanted.ordinal() == ordinal(place, length, wanted.ordinal() > 0)) {
                return true;
            }
        }
        return false;
    }

    private static int ordinal(int place, int length, boolean fromStart) {
        return fromStart ? (place + 6) / 7 : -((length - place) / 7 + 1);
    }

    /** Weeks are those of ISO 8601, but begin on the rule's day: the first has four days or more in its year. */
    private boolean isInWeek(LocalDate date) {
        int year = date.getYear();
        long first = firstWeek(year);
        if (date.toEpochDay() < first) {
            first = firstWeek(--year);
        } else if (date.toEpochDay() >= firstWeek(year + 1)) {
            first = firstWeek(++year);
        }
        int week = (int) ((date.toEpochDay() - first) / 7) + 1;
        return has(weeks, week, (int) ((firstWeek(year + 1) - first) / 7));
    }

    private long firstWeek(int year) {
        LocalDate fourth = LocalDate.of(year, 1, 4);
        return fourth.toEpochDay() - Math.floorMod(fourth.getDayOfWeek().getValue() - weekStart, 7);
    }
}
