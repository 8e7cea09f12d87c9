package dev.almanac.calendars;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import net.fortuna.ical4j.data.ContentHandler;

/** Collects the VEVENTs of a file while it is parsed; everything else passes by. */
final class ICalendarHandler implements ContentHandler {
    /** An alarm in an event is the deepest that the standard knows; the parser recurses, so depth is bounded. */
    private static final int DEEPEST = 4;

    private final int mostEvents;
    private final List<RawEvent> events = new ArrayList<>();
    private RawEvent event = new RawEvent();
    private int depth;
    private boolean inEvent;
    private String property = "";
    private Map<String, String> parameters = new LinkedHashMap<>();

    ICalendarHandler(int mostEvents) {
        this.mostEvents = mostEvents;
    }

    List<RawEvent> events() {
        return events;
    }

    @Override
    public void startCalendar() {}

    @Override
    public void endCalendar() {}

    @Override
    public void startComponent(String name) {
        depth++;
        if (depth > DEEPEST) {
            throw new InvalidCalendarException("file", null, "nests components deeper than the limit of " + DEEPEST);
        }
        if (depth == 1 && name.equalsIgnoreCase("VEVENT")) {
            if (events.size() == mostEvents) {
                throw new InvalidCalendarException("file", null, "holds more events than the limit of " + mostEvents);
            }
            event = new RawEvent();
            inEvent = true;
        }
    }

    @Override
    public void endComponent(String name) {
        depth--;
        if (depth == 0 && inEvent) {
            events.add(event);
            inEvent = false;
        }
    }

    @Override
    public void startProperty(String name) {
        property = name.toUpperCase(Locale.ROOT);
        parameters = new LinkedHashMap<>();
    }

    @Override
    public void parameter(String name, String value) {
        parameters.put(name.toUpperCase(Locale.ROOT), value);
    }

    @Override
    public void propertyValue(String value) {
        if (inEvent && depth == 1) {
            event.add(property, parameters, value);
        }
    }

    @Override
    public void endProperty(String name) {}
}
