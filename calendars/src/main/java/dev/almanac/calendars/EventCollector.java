package dev.almanac.calendars;

import dev.almanac.calendars.ICalendarDates.LeftOut;
import dev.almanac.model.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Turns the events of one file into dates, within the limits; collects problems until there are too many. */
final class EventCollector {
    private static final int MOST_PROBLEMS = 20;

    private final ICalendarWindow window;
    private final ICalendarLimits limits;
    private final List<ICalendarEvent> events = new ArrayList<>();
    private final List<LeftOut> leftOut = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Set<String> uids = new HashSet<>();
    private int dates;

    EventCollector(ICalendarWindow window, ICalendarLimits limits) {
        this.window = window;
        this.limits = limits;
    }

    ICalendarDates dates(List<RawEvent> raw) {
        for (RawEvent each : raw) {
            try {
                add(each);
            } catch (InvalidCalendarException e) {
                problems.addAll(e.problems());
            }
            if (problems.size() >= MOST_PROBLEMS || dates > limits.dates()) {
                break;
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidCalendarException(problems);
        }
        return new ICalendarDates(events, leftOut, window.from(), window.through());
    }

    private void add(RawEvent raw) {
        EventReader reader = new EventReader(raw);
        if (!uids.add(reader.uid())) {
            throw raw.refused("UID", reader.uid(), "occurs twice");
        }
        if (reader.isTimed()) {
            leftOut.add(new LeftOut(reader.uid(), "is not an all-day event"));
            return;
        }
        ICalendarEvent event = reader.event(window);
        events.add(event);
        dates += event.dates().size();
        if (dates > limits.dates()) {
            throw raw.refused("file", null, "gives more dates than the limit of " + limits.dates());
        }
    }
}
