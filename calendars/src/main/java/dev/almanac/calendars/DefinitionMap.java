package dev.almanac.calendars;

import dev.almanac.model.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A {@link CalendarDefinition} to and from maps of plain data. */
final class DefinitionMap {
    private static final String NESTED = "exclude";

    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private DefinitionMap() {}

    static CalendarDefinition read(Map<String, ?> fields) {
        DefinitionMap map = new DefinitionMap();
        map.flatten("", fields);
        String kind = map.values.remove("kind");
        if (kind == null) {
            map.problem("kind", null, "is required; Daily, Weekly, Monthly, Annual, Holiday or Cron");
        }
        CalendarDefinition definition = null;
        try {
            definition = kind == null ? null : new CalendarDefinition(CalendarDefinition.Kind.of(kind), map.values);
        } catch (InvalidCalendarException e) {
            map.problems.addAll(e.problems());
        }
        if (definition == null || !map.problems.isEmpty()) {
            throw new InvalidCalendarException(map.problems);
        }
        return definition;
    }

    private void flatten(String prefix, Map<?, ?> fields) {
        fields.forEach((key, value) -> {
            String field = prefix + key;
            if (value instanceof Map<?, ?> nested && field.equals(NESTED)) {
                flatten(NESTED + ".", nested);
            } else if (value instanceof List<?> items && CalendarDefinition.LISTS.contains(field)) {
                put(field, items.stream().map(String::valueOf).collect(Collectors.joining(",")));
            } else if (value instanceof String || value instanceof Number || value instanceof Boolean) {
                put(field, value.toString());
            } else {
                problem(field, String.valueOf(value), "is no text");
            }
        });
    }

    private void put(String field, String text) {
        if (values.putIfAbsent(field, text) != null) {
            problem(field, text, "is given twice");
        }
    }

    private void problem(String field, @Nullable String value, String reason) {
        problems.add(new Problem(field, value, "C2", reason));
    }

    static Map<String, Object> write(CalendarDefinition definition) {
        Map<String, Object> fields = new LinkedHashMap<>();
        String kind = definition.kind().name();
        fields.put("kind", kind.charAt(0) + kind.substring(1).toLowerCase(Locale.ROOT));
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
