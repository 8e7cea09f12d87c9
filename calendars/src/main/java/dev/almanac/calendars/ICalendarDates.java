package dev.almanac.calendars;

import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The dates of an iCalendar file, to be reviewed before they are used (rule C6). Immutable. Equal files give equal
 * results, with their events in any order.
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

    /** @throws IllegalArgumentException if a UID occurs twice, or a date lies outside the window */
    public ICalendarDates {
        events = events.stream()
                .sorted(Comparator.comparing(ICalendarEvent::uid))
                .toList();
        if (events.stream().map(ICalendarEvent::uid).distinct().count() < events.size()) {
            throw new IllegalArgumentException("a UID occurs twice");
        }
        ICalendarWindow window = new ICalendarWindow(from, through);
        for (ICalendarEvent event : events) {
            if (!event.dates().stream().allMatch(window::holds)) {
                throw new IllegalArgumentException(
                        "event '" + ShortText.shown(event.uid()) + "' has a date outside " + from + " to " + through);
            }
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

    /** A Holiday calendar of these dates, without a zone of its own. */
    public DayCalendar calendar() {
        return Calendars.holiday(dates());
    }

    /** The same as data, to be stored or put into a configuration file. */
    public CalendarDefinition definition() {
        String dates = dates().stream().map(LocalDate::toString).collect(Collectors.joining(","));
        return new CalendarDefinition(CalendarDefinition.Kind.HOLIDAY, Map.of("exclude-dates", dates));
    }

    /**
     * As plain data, to be stored beside the calendar: a later import is compared with it. {@link #of} gives the same
     * again.
     */
    public Map<String, Object> toMap() {
        return ICalendarMap.write(this);
    }

    /**
     * Reads what {@link #toMap} writes.
     *
     * @throws InvalidCalendarException with every problem
     */
    public static ICalendarDates of(Map<String, ?> fields) {
        return ICalendarMap.read(fields);
    }

    /**
     * The merge of a newer import into these dates; applies nothing. From its first date on, the newer file alone
     * counts; earlier dates stay, however far back. Events are compared by UID. Merging the same file again
     * changes nothing.
     */
    public ICalendarMerge merge(ICalendarDates newer) {
        return EventMerger.merge(this, newer);
    }
}
