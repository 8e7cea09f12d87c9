package dev.almanac.calendars;

import dev.almanac.calendars.ICalendarMerge.Changed;
import dev.almanac.calendars.ICalendarMerge.DateChanges;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares two imports event by event. */
final class EventMerger {
    private final ICalendarDates before;
    private final ICalendarDates newer;
    private final List<ICalendarEvent> added = new ArrayList<>();
    private final List<Changed> changed = new ArrayList<>();
    private final List<ICalendarEvent> removed = new ArrayList<>();
    private final List<ICalendarEvent> unchanged = new ArrayList<>();
    private final List<ICalendarEvent> events = new ArrayList<>();

    private EventMerger(ICalendarDates before, ICalendarDates newer) {
        this.before = before;
        this.newer = newer;
    }

    static ICalendarMerge merge(ICalendarDates before, ICalendarDates newer) {
        return new EventMerger(before, newer).merged();
    }

    private ICalendarMerge merged() {
        Map<String, ICalendarEvent> old = byUid(before);
        Map<String, ICalendarEvent> now = byUid(newer);
        TreeSet<String> uids = new TreeSet<>(old.keySet());
        uids.addAll(now.keySet());
        uids.forEach(uid -> compare(old.get(uid), now.get(uid)));
        LocalDate from = before.from().isBefore(newer.from()) ? before.from() : newer.from();
        ICalendarDates result = new ICalendarDates(events, newer.leftOut(), from, newer.through());
        return new ICalendarMerge(added, changed, removed, unchanged, dates(result), result);
    }

    private static Map<String, ICalendarEvent> byUid(ICalendarDates dates) {
        Map<String, ICalendarEvent> byUid = new TreeMap<>();
        dates.events().forEach(event -> byUid.put(event.uid(), event));
        return byUid;
    }

    private void compare(@Nullable ICalendarEvent old, @Nullable ICalendarEvent now) {
        if (old == null && now != null) {
            added.add(now);
            events.add(now);
        } else if (old != null && now == null) {
            dropped(old);
        } else if (old != null) {
            ICalendarEvent after = joined(old, now);
            events.add(after);
            if (isSame(old, now)) {
                unchanged.add(after);
            } else {
                changed.add(new Changed(old, after));
            }
        }
    }

    /** An event that is no longer in the file keeps its history; if it has nothing else, nothing happens to it. */
    private void dropped(ICalendarEvent old) {
        List<LocalDate> history = history(old);
        ICalendarEvent kept = new ICalendarEvent(old.uid(), old.summary(), history);
        if (history.size() < old.dates().size() || history.isEmpty()) {
            removed.add(old);
        } else {
            unchanged.add(kept);
        }
        if (!history.isEmpty()) {
            events.add(kept);
        }
    }

    private ICalendarEvent joined(ICalendarEvent old, ICalendarEvent now) {
        List<LocalDate> dates = new ArrayList<>(history(old));
        dates.addAll(now.dates());
        return new ICalendarEvent(now.uid(), now.summary(), dates);
    }

    private List<LocalDate> history(ICalendarEvent old) {
        return old.dates().stream().filter(date -> date.isBefore(newer.from())).toList();
    }

    private boolean isSame(ICalendarEvent old, ICalendarEvent now) {
        ICalendarWindow both = new ICalendarWindow(
                before.from().isAfter(newer.from()) ? before.from() : newer.from(),
                before.through().isBefore(newer.through()) ? before.through() : newer.through());
        return old.summary().equals(now.summary()) && both.of(old.dates()).equals(both.of(now.dates()));
    }

    private DateChanges dates(ICalendarDates result) {
        TreeSet<LocalDate> come = new TreeSet<>(result.dates());
        TreeSet<LocalDate> gone = new TreeSet<>(before.dates());
        gone.removeAll(result.dates());
        come.removeAll(before.dates());
        return new DateChanges(new ArrayList<>(come), new ArrayList<>(gone));
    }
}
