package dev.almanac.calendars;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A calendar as data, with the names that configuration uses (rule C2). Immutable and always valid: what is wrong is
 * told, all at once, when it is made. Lists are texts with commas; {@link #of} and {@link #toMap} turn them into lists
 * for documents and configuration files.
 *
 * @param kind which kind
 * @param values the fields by their configuration names; blanks round items are dropped
 */
public record CalendarDefinition(Kind kind, Map<String, String> values) {
    /** The kinds. */
    public enum Kind {
        /** {@code exclude.start-time}, {@code exclude.end-time}, {@code inverted}. */
        DAILY("exclude.start-time", "exclude.end-time", "inverted"),
        /** {@code exclude-days}: 1 = Sunday to 7, or names. */
        WEEKLY("exclude-days"),
        /** {@code exclude-days}: 1 to 31 and L. */
        MONTHLY("exclude-days"),
        /** {@code exclude-dates}: MM-dd. */
        ANNUAL("exclude-dates"),
        /** {@code exclude-dates}: yyyy-MM-dd. */
        HOLIDAY("exclude-dates"),
        /** {@code exclude-expression}: QUARTZ dialect. */
        CRON("exclude-expression");

        private final List<String> fields;

        Kind(String... fields) {
            this.fields = List.of(fields);
        }

        /** The names of its own fields; {@code timezone} and {@code description} are fields of every kind. */
        public List<String> fields() {
            return fields;
        }

        /** Reads a kind's name in any case. */
        public static Kind of(String name) {
            try {
                return valueOf(name.strip().toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new InvalidCalendarException(
                        "kind", name, "is not known; Daily, Weekly, Monthly, Annual, Holiday or Cron");
            }
        }
    }

    static final Set<String> LISTS = Set.of("exclude-days", "exclude-dates");

    /** @throws InvalidCalendarException with every problem, if a field is wrong, missing or not of the kind */
    public CalendarDefinition {
        values = tidy(values);
        DefinitionReader.check(kind, values);
    }

    /** The calendar. */
    public RuleCalendar calendar() {
        return DefinitionReader.read(kind, values);
    }

    /**
     * Reads what {@link #toMap} writes, and what a configuration file gives: {@code kind}, and the fields of the kind.
     * Lists may be lists or texts with commas; {@code exclude.start-time} may be nested in {@code exclude}.
     *
     * @throws InvalidCalendarException with every problem
     */
    public static CalendarDefinition of(Map<String, ?> fields) {
        return DefinitionMap.read(fields);
    }

    /** As plain data that reads well in a document: nested maps, lists and texts. In the order of the fields. */
    public Map<String, Object> toMap() {
        return DefinitionMap.write(this);
    }

    /** Equal definitions become equal: blanks and empty texts say nothing. */
    private static Map<String, String> tidy(Map<String, String> values) {
        Map<String, String> tidy = new LinkedHashMap<>();
        values.forEach((field, value) -> {
            String text = LISTS.contains(field)
                    ? Arrays.stream(value.strip().split(",", -1))
                            .map(String::strip)
                            .collect(Collectors.joining(","))
                    : value.strip();
            boolean silent = text.isEmpty() || field.equals("inverted") && text.equals("false");
            if (!silent) {
                tidy.put(field, text);
            }
        });
        return Map.copyOf(tidy);
    }
}
