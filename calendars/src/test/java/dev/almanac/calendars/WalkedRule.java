package dev.almanac.calendars;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A yearly rule of RFC 5545 3.3.10, computed by asking every day of every year; shares nothing with the library. */
record WalkedRule(
        int interval,
        Set<Integer> months,
        Set<Integer> monthDays,
        Set<Integer> yearDays,
        Set<WalkedRule.Weekday> weekdays,
        Set<Integer> positions,
        @Nullable Integer count,
        @Nullable LocalDate until) {
    /** A day of the week, and which one in the month or year; 0 = each. */
    record Weekday(int ordinal, DayOfWeek day) implements Comparable<Weekday> {
        @Override
        public int compareTo(Weekday other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return (ordinal == 0 ? "" : ordinal) + day.name().substring(0, 2);
        }
    }

    static WalkedRule random(SplittableRandom random) {
        int form = random.nextInt(7);
        Set<Integer> months = form == 0 || form > 4 && random.nextInt(3) > 0 ? Set.of() : some(random, 12, false);
        Set<Integer> monthDays = form == 2 || form == 3 ? some(random, 31, true) : Set.of();
        Set<Integer> yearDays = form == 6 ? some(random, 366, true) : Set.of();
        boolean numbered = monthDays.isEmpty();
        Set<Weekday> weekdays = new TreeSet<>();
        for (int i = form == 3 || form == 4 || form == 5 ? 1 + random.nextInt(3) : 0; i > 0; i--) {
            int ordinal = numbered && random.nextInt(3) > 0 ? 1 + random.nextInt(months.isEmpty() ? 53 : 5) : 0;
            weekdays.add(new Weekday(random.nextBoolean() ? ordinal : -ordinal, DayOfWeek.of(1 + random.nextInt(7))));
        }
        boolean hasSet = !months.isEmpty() || !weekdays.isEmpty() || !yearDays.isEmpty();
        return new WalkedRule(
                random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1,
                form == 6 ? Set.of() : months,
                monthDays,
                yearDays,
                weekdays,
                hasSet && random.nextInt(4) == 0 ? some(random, 3, true) : Set.of(),
                null,
                null);
    }

    private static Set<Integer> some(SplittableRandom random, int most, boolean negative) {
        Set<Integer> numbers = new TreeSet<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            int number = 1 + random.nextInt(most);
            numbers.add(negative && random.nextInt(3) == 0 ? -number : number);
        }
        return numbers;
    }

    WalkedRule bounded(SplittableRandom random, LocalDate start) {
        int form = random.nextInt(3);
        return new WalkedRule(
                interval,
                months,
                monthDays,
                yearDays,
                weekdays,
                positions,
                form == 1 ? 1 + random.nextInt(30) : null,
                form == 2 ? start.plusDays(random.nextInt(9_000)) : null);
    }

    String text() {
        return "FREQ=YEARLY"
                + (interval > 1 ? ";INTERVAL=" + interval : "")
                + (count == null ? "" : ";COUNT=" + count)
                + (until == null ? "" : ";UNTIL=" + until.toString().replace("-", ""))
                + part("BYMONTH", months)
                + part("BYMONTHDAY", monthDays)
                + part("BYYEARDAY", yearDays)
                + part("BYDAY", weekdays)
                + part("BYSETPOS", positions);
    }

    private static String part(String name, Set<?> values) {
        return values.isEmpty()
                ? ""
                : ";" + name + "=" + values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    List<LocalDate> dates(LocalDate start, LocalDate through) {
        List<LocalDate> dates = new ArrayList<>();
        for (int year = start.getYear(); year <= through.getYear(); year += interval) {
            for (LocalDate date : chosen(year, start)) {
                boolean over = date.isAfter(through)
                        || until != null && date.isAfter(until)
                        || count != null && dates.size() == count;
                if (over) {
                    return dates;
                }
                if (!date.isBefore(start)) {
                    dates.add(date);
                }
            }
        }
        return dates;
    }

    private List<LocalDate> chosen(int year, LocalDate start) {
        LocalDate first = LocalDate.of(year, 1, 1);
        List<LocalDate> all = first.datesUntil(first.plusYears(1))
                .filter(date -> matches(date, start))
                .toList();
        if (positions.isEmpty()) {
            return all;
        }
        List<LocalDate> chosen = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (positions.contains(i + 1) || positions.contains(i - all.size())) {
                chosen.add(all.get(i));
            }
        }
        return chosen;
    }

    private boolean matches(LocalDate date, LocalDate start) {
        if (!months.isEmpty() && !months.contains(date.getMonthValue())) {
            return false;
        }
        if (monthDays.isEmpty() && yearDays.isEmpty() && weekdays.isEmpty()) {
            return date.getDayOfMonth() == start.getDayOfMonth()
                    && (!months.isEmpty() || date.getMonthValue() == start.getMonthValue());
        }
        return (monthDays.isEmpty() || holds(monthDays, date.getDayOfMonth(), date.lengthOfMonth()))
                && (yearDays.isEmpty() || holds(yearDays, date.getDayOfYear(), date.lengthOfYear()))
                && (weekdays.isEmpty() || weekdays.stream().anyMatch(weekday -> isThat(date, weekday)));
    }

    private static boolean holds(Set<Integer> numbers, int day, int length) {
        return numbers.contains(day) || numbers.contains(day - length - 1);
    }

    private boolean isThat(LocalDate date, Weekday weekday) {
        int day = months.isEmpty() ? date.getDayOfYear() : date.getDayOfMonth();
        int length = months.isEmpty() ? date.lengthOfYear() : date.lengthOfMonth();
        boolean which = weekday.ordinal() == 0
                || weekday.ordinal() == (day - 1) / 7 + 1
                || weekday.ordinal() == -((length - day) / 7 + 1);
        return which && date.getDayOfWeek() == weekday.day();
    }
}
