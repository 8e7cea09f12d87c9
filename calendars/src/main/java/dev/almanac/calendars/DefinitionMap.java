package dev.almanac.calendars;

import dev.almanac.calendars.CalendarDefinition.Kind;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A {@link CalendarDefinition} to and from maps of plain data. */
final class DefinitionMap {
    private static final String NESTED = "exclude";
    private static final String KIND = "kind";

    private final Map<String, String> values = new LinkedHashMap<>();
    private final ProblemList problems = new ProblemList("C2");

    private DefinitionMap() {}

    static CalendarDefinition read(Map<String, ?> fields) {
        DefinitionMap map = new DefinitionMap();
        map.flatten("", fields);
        CalendarDefinition definition = map.definition();
        map.problems.refuseIfAny();
        if (definition == null) {
            throw new IllegalStateException("a definition was refused without a problem");
        }
        return definition;
    }

    /** Null if it is refused; then the problems say why. */
    private @Nullable CalendarDefinition definition() {
        String kind = values.remove(KIND);
        if (kind == null) {
            problems.add(KIND, null, "is required; " + Kind.KNOWN);
            return null;
        }
        try {
            return new CalendarDefinition(Kind.of(kind), values);
        } catch (InvalidCalendarException e) {
            problems.addWhole(e);
            return null;
        }
    }

    private void flatten(String prefix, Map<?, ?> fields) {
        fields.forEach((key, value) -> {
            String field = prefix + key;
            if (value instanceof Map<?, ?> nested && field.equals(NESTED)) {
                flatten(NESTED + ".", nested);
            } else if (value instanceof Collection<?> items && CalendarDefinition.LISTS.contains(field)) {
                putItems(field, items);
            } else if (isPlain(value)) {
                put(field, value.toString());
            } else {
                problems.add(field, kind(value), "is no text");
            }
        });
    }

    /** The type of a value that is no text; the value itself may be large, or contain itself. */
    private static @Nullable String kind(@Nullable Object value) {
        return value == null ? null : value.getClass().getSimpleName();
    }

    private static boolean isPlain(@Nullable Object value) {
        return value instanceof String || value instanceof Number || value instanceof Boolean;
    }

    private void putItems(String field, Collection<?> items) {
        for (Object item : items) {
            if (!isPlain(item) || item.toString().indexOf(',') >= 0) {
                problems.add(
                        field,
                        isPlain(item) ? item.toString() : kind(item),
                        "is no item of a list; one text or number each");
                return;
            }
        }
        put(field, items.stream().map(Object::toString).collect(Collectors.joining(",")));
    }

    private void put(String field, String text) {
        if (values.putIfAbsent(field, text) != null) {
            problems.add(field, text, "is given twice");
        }
    }

    static Map<String, Object> write(CalendarDefinition definition) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(KIND, definition.kind().title());
        Map<String, Object> nested = new LinkedHashMap<>();
        for (String field : DefinitionReader.fields(definition.kind())) {
            String value = definition.values().get(field);
            if (value == null) {
                continue;
            }
            if (field.startsWith(NESTED + ".")) {
                nested.put(field.substring(NESTED.length() + 1), value);
                fields.put(NESTED, nested);
            } else {
                fields.put(field, plain(field, value));
            }
        }
        return fields;
    }

    private static Object plain(String field, String value) {
        if (CalendarDefinition.LISTS.contains(field)) {
            return List.of(value.split(","));
        }
        return field.equals("inverted") ? Boolean.valueOf(value) : value;
    }
}
