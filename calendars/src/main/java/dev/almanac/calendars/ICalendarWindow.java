package dev.almanac.calendars;

import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The dates of interest.
 *
 * @param from the first
 * @param through the last
 */
record ICalendarWindow(LocalDate from, LocalDate through) {
    boolean holds(LocalDate date) {
        return !date.isBefore(from) && !date.isAfter(through);
    }

    /** Longer at the front by what an occurrence may reach into the window. */
    ICalendarWindow reaching(int days) {
        return new ICalendarWindow(from.minusDays(days - 1L), through);
    }

    List<LocalDate> of(Collection<LocalDate> dates) {
        return dates.stream().filter(this::holds).toList();
    }

    /** The dates of the window that occurrences of so many days cover, in order. Each date is visited once. */
    Set<LocalDate> covered(Collection<LocalDate> starts, int days) {
        Set<LocalDate> covered = new TreeSet<>();
        LocalDate open = from;
        for (LocalDate start : new TreeSet<>(starts)) {
            LocalDate end = start.plusDays(days);
            LocalDate date = start.isAfter(open) ? start : open;
            for (; date.isBefore(end) && !date.isAfter(through); date = date.plusDays(1)) {
                covered.add(date);
            }
            open = date;
        }
        return covered;
    }
}
