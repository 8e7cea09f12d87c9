package dev.almanac.config;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.calendars.InvalidCalendarException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One calendar of the configuration: its kind, and the fields of that kind (rule C2). */
final class CalendarSection {
    private static final String KIND = "kind";

    private final ConfigReader reader;
    private final String path;
    private final Map<String, ConfigValue> places = new TreeMap<>();

    private CalendarSection(ConfigReader reader, String path) {
        this.reader = reader;
        this.path = path;
    }

    /** All calendars that could be read; problems are collected. */
    static Map<String, CalendarDefinition> readAll(ConfigReader reader) {
        Map<String, CalendarDefinition> calendars = new LinkedHashMap<>();
        reader.named(ServiceKeys.CALENDARS, (name, path, value) -> read(reader, name, path, value, calendars));
        return calendars;
    }

    /** Reads the calendar of that name, or those whose names are longer: a name with dots may be quoted or not. */
    private static void read(
            ConfigReader reader,
            String name,
            String path,
            ConfigValue value,
            Map<String, CalendarDefinition> calendars) {
        if (value instanceof ConfigObject section && isBeginningOfNames(section)) {
            ConfigReader.named(
                    name + ".", path, section, (longer, place, below) -> read(reader, longer, place, below, calendars));
            return;
        }
        CalendarDefinition definition = new CalendarSection(reader, path).read(value);
        if (definition != null) {
            reader.put(calendars, name, definition, path, value);
        }
    }

    /**
     * Whether calendars are below it: each has a kind, and no field of a calendar has one. Where all that is below it is null,
     * the longer names are absent.
     */
    private static boolean isBeginningOfNames(ConfigObject section) {
        if (section.containsKey(KIND) || section.isEmpty()) {
            return false;
        }
        Set<Map.Entry<String, ConfigValue>> given = section.toConfig().entrySet();
        return given.isEmpty()
                || given.stream()
                        .map(entry -> ConfigUtil.splitPath(entry.getKey()))
                        .anyMatch(names -> names.get(names.size() - 1).equals(KIND));
    }

    private @Nullable CalendarDefinition read(ConfigValue value) {
        if (!(value instanceof ConfigObject section)) {
            reader.problem(path, value, "expected a section in braces with kind and the fields of that kind");
            return null;
        }
        // without what is null; exclude { start-time } becomes exclude.start-time
        section.toConfig()
                .entrySet()
                .forEach(entry -> places.put(String.join(".", ConfigUtil.splitPath(entry.getKey())), entry.getValue()));
        Map<String, Object> fields = new LinkedHashMap<>();
        places.forEach((field, place) -> fields.put(field, Kinds.written(place)));
        try {
            return CalendarDefinition.of(fields);
        } catch (InvalidCalendarException e) {
            e.problems()
                    .forEach(problem -> reader.problem(
                            path + "." + problem.field(),
                            places.getOrDefault(problem.field(), section),
                            problem.advice()));
            return null;
        }
    }
}
