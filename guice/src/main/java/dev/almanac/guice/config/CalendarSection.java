package dev.almanac.guice.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.calendars.InvalidCalendarException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One calendar of the configuration: its kind, and the fields of that kind (rule C2). */
final class CalendarSection {
    private static final String KIND = "kind";

    private final ConfigReader reader;
    private final String path;
    private final Map<String, ConfigValue> places = new TreeMap<>();
    private final Map<String, String> fields = new LinkedHashMap<>();

    private CalendarSection(ConfigReader reader, String path) {
        this.reader = reader;
        this.path = path;
    }

    /** All calendars that could be read; what is wrong is noted. */
    static Map<String, CalendarDefinition> readAll(ConfigReader reader) {
        Map<String, CalendarDefinition> calendars = new LinkedHashMap<>();
        ConfigObject section = reader.section(OtherKeys.CALENDARS);
        if (section != null) {
            new TreeMap<>(section).forEach((name, value) -> {
                String path = ConfigReader.path(OtherKeys.CALENDARS, name);
                CalendarDefinition definition = new CalendarSection(reader, path).read(value);
                if (definition != null) {
                    calendars.put(name, definition);
                }
            });
        }
        return calendars;
    }

    private @Nullable CalendarDefinition read(ConfigValue value) {
        if (!(value instanceof ConfigObject section)) {
            reader.problem(path, value, "expected a section in braces with kind and the fields of that kind");
            return null;
        }
        int before = reader.problems().size();
        flatten("", section);
        String kind = fields.remove(KIND);
        if (kind == null) {
            reader.problem(path + "." + KIND, value, "is required: Daily, Weekly, Monthly, Annual, Holiday or Cron");
        }
        return kind == null || reader.problems().size() > before ? null : definition(kind, section);
    }

    private @Nullable CalendarDefinition definition(String kind, ConfigObject section) {
        try {
            CalendarDefinition definition = new CalendarDefinition(CalendarDefinition.Kind.of(kind), fields);
            definition.calendar();
            return definition;
        } catch (InvalidCalendarException e) {
            ConfigValue place = places.getOrDefault(e.field(), section);
            reader.problem(path + "." + e.field(), place, String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Lists become texts with commas; {@code exclude { start-time }} becomes {@code exclude.start-time}. */
    private void flatten(String prefix, ConfigObject section) {
        new TreeMap<>(section).forEach((name, value) -> {
            String field = prefix + name;
            if (value instanceof ConfigObject nested && prefix.isEmpty()) {
                flatten(field + ".", nested);
            } else if (value instanceof ConfigObject) {
                reader.problem(path + "." + field, value, "expected a text or a list");
            } else if (value.valueType() != ConfigValueType.NULL) {
                places.put(field, value);
                fields.put(field, text(value));
            }
        });
    }

    private static String text(ConfigValue value) {
        return value instanceof ConfigList list
                ? list.stream().map(item -> String.valueOf(item.unwrapped())).collect(Collectors.joining(","))
                : String.valueOf(value.unwrapped());
    }
}
