package dev.almanac.calendars;

import dev.almanac.calendars.ICalendarDates.LeftOut;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An import to and from maps of plain data, so that a later one can be compared with it. */
final class ICalendarMap {
    private static final String UID = "uid";
    private static final String DATES = "dates";

    private final ProblemList problems = new ProblemList(ICalendarImport.RULE);

    private ICalendarMap() {}

    static Map<String, Object> write(ICalendarDates dates) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("from", dates.from().toString());
        map.put("through", dates.through().toString());
        map.put("events", dates.events().stream().map(ICalendarMap::write).toList());
        map.put(
                "left-out",
                dates.leftOut().stream()
                        .map(each -> texts(UID, each.uid(), "reason", each.reason()))
                        .toList());
        return map;
    }

    private static Map<String, Object> write(ICalendarEvent event) {
        Map<String, Object> map = texts(UID, event.uid(), "summary", event.summary());
        map.put(DATES, event.dates().stream().map(LocalDate::toString).toList());
        return map;
    }

    private static Map<String, Object> texts(String first, String one, String second, String other) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(first, one);
        map.put(second, other);
        return map;
    }

    static ICalendarDates read(Map<String, ?> fields) {
        ICalendarMap map = new ICalendarMap();
        map.known(fields, "", List.of("from", "through", "events", "left-out"));
        LocalDate from = map.date("from", fields.get("from"));
        LocalDate through = map.date("through", fields.get("through"));
        List<ICalendarEvent> events = map.list("events", fields, map::event);
        List<LeftOut> leftOut = map.list("left-out", fields, map::leftOut);
        map.problems.refuseIfAny();
        if (from == null || through == null) {
            throw new IllegalStateException("an import was refused without a problem");
        }
        try {
            return new ICalendarDates(events, leftOut, from, through);
        } catch (IllegalArgumentException e) {
            map.problems.add("events", null, String.valueOf(e.getMessage()));
            map.problems.refuseIfAny();
            throw e;
        }
    }

    private ICalendarEvent event(Map<?, ?> fields) {
        known(fields, "events.", List.of(UID, "summary", DATES));
        List<LocalDate> dates = new ArrayList<>();
        if (fields.get(DATES) instanceof List<?> items) {
            for (Object item : items) {
                LocalDate date = date("events.dates", item);
                if (date != null) {
                    dates.add(date);
                }
            }
        } else {
            problems.add("events.dates", null, "is no list");
        }
        return new ICalendarEvent(
                text("events.uid", fields.get(UID)), text("events.summary", fields.get("summary")), dates);
    }

    private LeftOut leftOut(Map<?, ?> fields) {
        known(fields, "left-out.", List.of(UID, "reason"));
        return new LeftOut(text("left-out.uid", fields.get(UID)), text("left-out.reason", fields.get("reason")));
    }

    private void known(Map<?, ?> fields, String prefix, List<String> known) {
        for (Object name : fields.keySet()) {
            if (!known.contains(name)) {
                String text = String.valueOf(name);
                problems.add(prefix + ShortText.shown(text), null, "is not known" + NearNames.advice(text, known));
            }
        }
    }

    private <T> List<T> list(String field, Map<?, ?> fields, Function<Map<?, ?>, T> read) {
        List<T> list = new ArrayList<>();
        if (!(fields.get(field) instanceof List<?> items)) {
            problems.add(field, null, "is no list");
            return list;
        }
        for (Object item : items) {
            if (item instanceof Map<?, ?> map) {
                list.add(read.apply(map));
            } else {
                problems.add(field, null, "holds what is no map");
            }
        }
        return list;
    }

    private String text(String field, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        problems.add(field, null, "is no text");
        return "";
    }

    private @Nullable LocalDate date(String field, @Nullable Object value) {
        try {
            return DefinitionItems.date(value instanceof String text ? text : "");
        } catch (InvalidCalendarException e) {
            problems.add(field, value instanceof String text ? text : null, "is no date such as 2026-12-25");
            return null;
        }
    }
}
