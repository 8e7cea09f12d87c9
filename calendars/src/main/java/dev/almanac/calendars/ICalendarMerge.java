package dev.almanac.calendars;

import java.time.LocalDate;
import java.util.List;

/**
 * The changes of a newer import against an earlier one, to be reviewed before applying {@link #result()} (rule C6).
 * Immutable. Events are ordered by UID; the lists of events hold each UID once.
 *
 * @param added events that are new
 * @param changed events whose dates, as far as both files contain them, or whose summaries differ
 * @param removed events, as they were, that had dates and are no longer in the file; they lose those dates
 * @param unchanged the other events, as they are now
 * @param dates added and removed dates; a moved window adds dates without a change of events
 * @param result what the calendar is after the merge
 */
public record ICalendarMerge(
        List<ICalendarEvent> added,
        List<Changed> changed,
        List<ICalendarEvent> removed,
        List<ICalendarEvent> unchanged,
        DateChanges dates,
        ICalendarDates result) {
    /**
     * An event that is not what it was.
     *
     * @param before as it was
     * @param after as it is now
     */
    public record Changed(ICalendarEvent before, ICalendarEvent after) {}

    /**
     * Changes of dates.
     *
     * @param added dates that are new, in order
     * @param removed dates that are gone, in order
     */
    public record DateChanges(List<LocalDate> added, List<LocalDate> removed) {
        /** Copies the lists. */
        public DateChanges {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
        }
    }

    /** Copies the lists. */
    public ICalendarMerge {
        added = List.copyOf(added);
        changed = List.copyOf(changed);
        removed = List.copyOf(removed);
        unchanged = List.copyOf(unchanged);
    }

    /** Whether applying it would change nothing: no event and no date. */
    public boolean isEmpty() {
        return added.isEmpty()
                && changed.isEmpty()
                && removed.isEmpty()
                && dates.added().isEmpty()
                && dates.removed().isEmpty();
    }
}
