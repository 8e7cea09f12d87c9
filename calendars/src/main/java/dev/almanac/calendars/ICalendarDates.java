package dev.almanac.calendars;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What an iCalendar file says, as dates to look at before they are used (rule C6). Immutable. Equal files give equal
 * results, whatever the order of their events.
 *
 * @param events by UID, each UID once
 * @param leftOut events that exclude no whole day
 * @param from first date of the window
 * @param through last date of the window: endless rules are followed to here and no further
 */
public record ICalendarDates(List<ICalendarEvent> events, List<LeftOut> leftOut, LocalDate from, LocalDate through) {
    /**
     * An event that was not imported.
     *
     * @param uid its UID
     * @param reason why
     */
    public record LeftOut(String uid, String reason) {}

    /**
     * What an import would change.
     *
     * @param added dates that are new, in order
     * @param removed dates that are gone, in order
     */
    public record Changes(List<LocalDate> added, List<LocalDate> removed) {
        /** Whether nothing would change. */
        public boolean isEmpty() {
            return added.isEmpty() && removed.isEmpty();
        }
    }

    /** @throws IllegalArgumentException if a UID occurs twice */
    public ICalendarDates {
        events = events.stream()
                .sorted(Comparator.comparing(ICalendarEvent::uid))
                .toList();
        if (events.stream().map(ICalendarEvent::uid).distinct().count() < events.size()) {
            throw new IllegalArgumentException("a UID occurs twice");
        }
        leftOut = leftOut.stream()
                .sorted(Comparator.comparing(LeftOut::uid).thenComparing(LeftOut::reason))
                .toList();
    }

    /** The dates of all events, in order, each once. */
    public List<LocalDate> dates() {
        return List.copyOf(events.stream()
                .flatMap(event -> event.dates().stream())
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** A Holiday calendar of these dates. */
    public DayCalendar calendar() {
        return Calendars.holiday(dates());
    }

    /** The same as data, to be stored or put into a configuration file. */
    public CalendarDefinition definition() {
        String dates = dates().stream().map(LocalDate::toString).collect(Collectors.joining(","));
        return new CalendarDefinition(CalendarDefinition.Kind.HOLIDAY, Map.of("exclude-dates", dates));
    }

    /**
     * These with a newer import: its events replace those of the same UID, other events stay. Importing the same again
     * changes nothing. An event that the newer file no longer holds stays too; a cancelled one loses its dates. The window
     * becomes the part that both cover.
     */
    public ICalendarDates merge(ICalendarDates newer) {
        Map<String, ICalendarEvent> byUid = new TreeMap<>();
        events.forEach(event -> byUid.put(event.uid(), event));
        newer.events.forEach(event -> byUid.put(event.uid(), event));
        return new ICalendarDates(
                new ArrayList<>(byUid.values()),
                newer.leftOut,
                from.isAfter(newer.from) ? from : newer.from,
                through.isBefore(newer.through) ? through : newer.through);
    }

    /** What changes for jobs if these give way to others: look before applying. */
    public Changes changesTo(ICalendarDates others) {
        TreeSet<LocalDate> added = new TreeSet<>(others.dates());
        TreeSet<LocalDate> removed = new TreeSet<>(dates());
        removed.removeAll(others.dates());
        added.removeAll(dates());
        return new Changes(List.copyOf(added), List.copyOf(removed));
    }
}
