package dev.almanac.calendars;

import dev.almanac.text.Ascii;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import net.fortuna.ical4j.data.ContentHandler;

/**
 * Collects the VEVENTs of a file while it is parsed; everything else passes by. What the parser reports is held against
 * the line it comes from, because it drops control characters and mistakes lists of parameters silently.
 */
final class ICalendarHandler implements ContentHandler {
    /** An alarm in an event is the deepest that the standard defines; the parser recurses, so depth is bounded. */
    private static final int DEEPEST = 4;

    private static final Set<String> READ = Set.of(
            "UID",
            "DTSTART",
            "DTEND",
            "DURATION",
            "RRULE",
            "RDATE",
            "EXDATE",
            "EXRULE",
            "RECURRENCE-ID",
            "STATUS",
            "TRANSP",
            "SUMMARY");

    private final int mostEvents;
    private final ICalendarLines.Cursor cursor;
    private final List<RawEvent> events = new ArrayList<>();
    private RawEvent event = new RawEvent(0);
    private int depth;
    private boolean inEvent;
    private String property = "";
    private int begun;
    private Map<String, String> parameters = new LinkedHashMap<>();

    ICalendarHandler(int mostEvents, ICalendarLines.Cursor cursor) {
        this.mostEvents = mostEvents;
        this.cursor = cursor;
    }

    List<RawEvent> events() {
        return events;
    }

    @Override
    public void startCalendar() {
        // of a second calendar in the file the parser checks only the name
        if (!cursor.line().text().toUpperCase(Locale.ROOT).startsWith("BEGIN:")) {
            throw refused("is no BEGIN");
        }
    }

    @Override
    public void endCalendar() {}

    @Override
    public void startComponent(String name) {
        depth++;
        if (depth > DEEPEST) {
            throw refused("nests components deeper than the limit of " + DEEPEST);
        }
        if (!name.strip().equalsIgnoreCase("VEVENT")) {
            return;
        }
        if (depth > 1) {
            throw refused("has an event inside another component");
        }
        if (events.size() == mostEvents) {
            throw refused("holds more events than the limit of " + mostEvents);
        }
        event = new RawEvent(cursor.line().number());
        inEvent = true;
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
        begun = cursor.line().number();
        if (property.equals("BEGIN") || property.equals("END")) {
            throw refused("has '" + ShortText.shown(name) + "' where BEGIN and END are read in capitals only");
        }
    }

    @Override
    public void parameter(String name, String value) {
        parameters.put(name.toUpperCase(Locale.ROOT), value);
    }

    @Override
    public void propertyValue(String value) {
        ICalendarLine line = cursor.line();
        boolean read = inEvent && depth == 1 && READ.contains(property);
        if (line.number() != begun || read && !line.value().equals(value)) {
            throw refused("holds characters or parameters that are not read");
        }
        if (read) {
            event.add(new RawEvent.Line(property, begun, Map.copyOf(parameters), value));
        } else if (depth == 0) {
            ofCalendar(value.strip());
        }
    }

    private void ofCalendar(String value) {
        boolean foreign = property.equals("CALSCALE") && !Ascii.upper(value).equals("GREGORIAN");
        boolean cancels = property.equals("METHOD") && value.equalsIgnoreCase("CANCEL");
        if (foreign || cancels) {
            throw refused("says " + property + ":" + ShortText.shown(value) + ", which is not read");
        }
    }

    @Override
    public void endProperty(String name) {}

    private InvalidCalendarException refused(String reason) {
        return ICalendarImport.refused(reason + ", line " + cursor.line().number());
    }
}
