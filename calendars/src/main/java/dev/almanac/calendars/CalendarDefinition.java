package dev.almanac.calendars;

import dev.almanac.text.Ascii;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A calendar as data, with the names that configuration uses (rule C2). Immutable and always valid: creating one
 * reports all problems together. Lists are texts with commas; {@link #of} and {@link #toMap} turn them into lists for
 * documents and configuration files. A list has at most 100 000 items, a description 1 000 characters.
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
        /** {@code exclude-ranges}: each from a date-time to another, such as 2026-12-24T18:00/2026-12-27T06:00. */
        RANGE("exclude-ranges"),
        /** {@code exclude-expression}: QUARTZ dialect. */
        CRON("exclude-expression");

        static final String KNOWN = "Daily, Weekly, Monthly, Annual, Holiday, Range or Cron";

        private final List<String> fields;

        Kind(String... fields) {
            this.fields = List.of(fields);
        }

        /** The names of its own fields; {@code timezone} and {@code description} are fields of every kind. */
        public List<String> fields() {
            return fields;
        }

        /** As configuration writes it, such as {@code Daily}. */
        String title() {
            return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
        }

        /**
         * Reads a kind's name in any case.
         *
         * @throws InvalidCalendarException if there is no such kind
         */
        public static Kind of(String name) {
            for (Kind kind : values()) {
                if (kind.name().equals(Ascii.upper(name.strip()))) {
                    return kind;
                }
            }
            List<String> titles = Arrays.stream(values()).map(Kind::title).toList();
            throw new InvalidCalendarException(
                    "kind", ShortText.shown(name), "is not known; " + KNOWN + NearNames.advice(name, titles));
        }
    }

    static final Set<String> LISTS = Set.of("exclude-days", "exclude-dates", "exclude-ranges");

    /** @throws InvalidCalendarException with every problem, if a field is wrong, missing or not of the kind */
    public CalendarDefinition {
        values = tidy(values);
        DefinitionReader.read(kind, values);
    }

    /** The calendar. */
    public RuleCalendar calendar() {
        return DefinitionReader.read(kind, values);
    }

    /**
     * Reads what {@link #toMap} writes, and what a configuration file gives: {@code kind}, and the fields of the kind.
     * Lists may be lists or texts with commas; {@code exclude.start-time} may be nested in {@code exclude}. Numbers and
     * booleans stand for their texts.
     *
     * @throws InvalidCalendarException with every problem; for an unknown field, with the most similar known one
     */
    public static CalendarDefinition of(Map<String, ?> fields) {
        return DefinitionMap.read(fields);
    }

    /**
     * As plain data that reads well in a document: nested maps, lists, texts and booleans. In the order of the fields; no
     * name holds a dot. {@link #of} gives an equal definition.
     */
    public Map<String, Object> toMap() {
        return DefinitionMap.write(this);
    }

    /** Normalizes blanks and empty texts, so that equal definitions are equal. */
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
