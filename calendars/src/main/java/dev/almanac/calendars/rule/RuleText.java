package dev.almanac.calendars.rule;

import dev.almanac.calendars.rule.RuleParts.Weekday;
import dev.almanac.text.Ascii;
import dev.almanac.time.InvalidCronException;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code DTSTART:20260131T090000 RRULE:FREQ=...} strictly. What the standard forbids or this library cannot keep is
 * refused, naming the part, its column and the reason. Letters may be of either case.
 */
final class RuleText {
    private static final int LONGEST = 4_096;
    private static final int MOST_COUNTED = 1_000_000;
    private static final Pattern SHAPE = Pattern.compile("DTSTART:([^ \t]+)[ \t]+RRULE:([^ \t]+)");
    private static final Pattern MOMENT = Pattern.compile("[0-9]{8}T[0-9]{6}");
    private static final Pattern WEEKDAY = Pattern.compile("([+-]?[0-9]{1,2})?(SU|MO|TU|WE|TH|FR|SA)");
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,9}");
    private static final DateTimeFormatter COMPACT =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    /** The order of the canonical text. */
    private static final List<String> NAMES = List.of(
            "FREQ",
            "UNTIL",
            "COUNT",
            "INTERVAL",
            "BYSECOND",
            "BYMINUTE",
            "BYHOUR",
            "BYDAY",
            "BYMONTHDAY",
            "BYYEARDAY",
            "BYWEEKNO",
            "BYMONTH",
            "BYSETPOS",
            "WKST");

    private final String text;
    private final RuleParts parts = new RuleParts();
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, Integer> columns = new LinkedHashMap<>();
    private final Map<String, String> written = new LinkedHashMap<>();
    private String name = "";

    private RuleText(String text) {
        this.text = text;
    }

    static RuleText read(String text) {
        if (text.length() > LONGEST) {
            throw new InvalidCronException("rrule", LONGEST + 1, "longer than " + LONGEST + " characters", text, null);
        }
        RuleText reader = new RuleText(Ascii.upper(text));
        reader.split();
        reader.interpret();
        new RuleCheck(reader.parts, reader::refused).check();
        return reader;
    }

    RuleParts parts() {
        return parts;
    }

    /** Parts in the order of the standard's grammar, lists in order, what is the default left out. */
    String canonical() {
        StringBuilder out = new StringBuilder("DTSTART:" + COMPACT.format(parts.start) + " RRULE:");
        NAMES.stream()
                .filter(written::containsKey)
                .forEach(part -> out.append(part.equals("FREQ") ? "" : ";")
                        .append(part)
                        .append('=')
                        .append(written.get(part)));
        return out.toString();
    }

    private void split() {
        Matcher matcher = SHAPE.matcher(text.strip());
        if (!matcher.matches()) {
            throw refused(
                    "RRULE",
                    "is not of the form DTSTART:20260131T090000 RRULE:FREQ=...; EXDATE, RDATE and parameters"
                            + " are not read: leave dates out by a calendar, and give the zone as the job's");
        }
        int before = text.indexOf("DTSTART:");
        name = "DTSTART";
        columns.put(name, before + name.length() + 2);
        values.put(name, matcher.group(1));
        parts.start = moment(matcher.group(1));
        int column = text.indexOf("RRULE:", before) + "RRULE:".length() + 1;
        for (String part : matcher.group(2).split(";", -1)) {
            part(part, column);
            column += part.length() + 1;
        }
    }

    private void part(String part, int column) {
        int equals = part.indexOf('=');
        String found = equals < 0 ? part : part.substring(0, equals);
        columns.putIfAbsent(found, column);
        if (!NAMES.contains(found)) {
            columns.put("RRULE", column);
            values.put("RRULE", part);
            throw refused("RRULE", "is no part of a rule; known are " + String.join(", ", NAMES));
        }
        if (values.putIfAbsent(found, part.substring(equals + 1)) != null) {
            throw refused(found, "is given twice");
        }
        if (equals < 0 || equals == part.length() - 1) {
            throw refused(found, "has no value");
        }
    }

    private void interpret() {
        if (!values.containsKey("FREQ")) {
            throw refused("RRULE", "lacks FREQ");
        }
        take("FREQ", this::frequency);
        take("INTERVAL", value -> number(value, 1, 999_999_999));
        take("COUNT", value -> number(value, 1, MOST_COUNTED));
        take("UNTIL", this::until);
        parts.seconds = numbers("BYSECOND", 0, 59, false);
        parts.minutes = numbers("BYMINUTE", 0, 59, false);
        parts.hours = numbers("BYHOUR", 0, 23, false);
        parts.daysOfMonth = numbers("BYMONTHDAY", 1, 31, true);
        parts.daysOfYear = numbers("BYYEARDAY", 1, 366, true);
        parts.weeks = numbers("BYWEEKNO", 1, 53, true);
        parts.months = numbers("BYMONTH", 1, 12, false);
        parts.positions = numbers("BYSETPOS", 1, 366, true);
        parts.weekdays =
                list("BYDAY", this::weekday, Comparator.comparing(Weekday::day).thenComparing(Weekday::ordinal));
        take("WKST", value -> parts.weekStart = day(value));
        parts.interval = Long.parseLong(written.getOrDefault("INTERVAL", "1"));
        parts.count = Integer.parseInt(written.getOrDefault("COUNT", "0"));
        defaults();
    }

    private void defaults() {
        written.remove("INTERVAL", "1");
        written.remove("WKST");
        parts.weekdays.stream()
                .map(day -> (day.ordinal() == 0 ? "" : day.ordinal())
                        + day.day().name().substring(0, 2))
                .reduce((one, other) -> one + "," + other)
                .ifPresent(days -> written.put("BYDAY", days));
        if (parts.weekStart != DayOfWeek.MONDAY) {
            written.put("WKST", parts.weekStart.name().substring(0, 2));
        }
    }

    private void take(String part, Function<String, Object> read) {
        String value = values.get(part);
        if (value != null) {
            name = part;
            written.put(part, read.apply(value).toString());
        }
    }

    private Object frequency(String value) {
        return parts.frequency = Arrays.stream(Frequency.values())
                .filter(known -> known.name().equals(value))
                .findFirst()
                .orElseThrow(
                        () -> refused(name, "is none of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY"));
    }

    private Object until(String value) {
        boolean utc = value.endsWith("Z");
        LocalDateTime moment = moment(utc ? value.substring(0, value.length() - 1) : value);
        if (utc) {
            parts.untilInstant = moment.toInstant(ZoneOffset.UTC);
        } else {
            parts.untilLocal = moment;
        }
        return value;
    }

    private LocalDateTime moment(String value) {
        if (!MOMENT.matcher(value).matches()) {
            throw refused(
                    name,
                    "is no " + (name.equals("UNTIL") ? "date and time" : "local date and time")
                            + " such as 20260131T090000");
        }
        try {
            return LocalDateTime.parse(value, COMPACT);
        } catch (DateTimeException e) {
            throw refused(name, "is no date and time that exists");
        }
    }

    private List<Integer> numbers(String part, int least, int most, boolean signed) {
        return list(
                part,
                value -> {
                    boolean minus = signed && value.startsWith("-");
                    boolean plus = signed && value.startsWith("+");
                    int size = number(minus || plus ? value.substring(1) : value, least, most);
                    return minus ? -size : size;
                },
                Comparator.<Integer>naturalOrder());
    }

    private <T> List<T> list(String part, Function<String, T> read, Comparator<? super T> order) {
        String value = values.get(part);
        if (value == null) {
            return List.of();
        }
        name = part;
        List<T> items = new ArrayList<>();
        for (String item : value.split(",", -1)) {
            items.add(read.apply(item));
        }
        List<T> sorted = items.stream().distinct().sorted(order).toList();
        written.put(part, String.join(",", sorted.stream().map(Object::toString).toList()));
        return sorted;
    }

    private int number(String value, int least, int most) {
        if (!NUMBER.matcher(value).matches() || value.charAt(0) == '+' || value.charAt(0) == '-') {
            throw refused(name, "'" + shown(value) + "' is no number of " + least + " to " + most);
        }
        int number = Integer.parseInt(value);
        if (number < least || number > most) {
            boolean leap = name.equals("BYSECOND") && number == 60;
            throw refused(
                    name, number + " is beyond " + least + " to " + most + (leap ? "; there are no leap seconds" : ""));
        }
        return number;
    }

    private Weekday weekday(String value) {
        Matcher matcher = WEEKDAY.matcher(value);
        if (!matcher.matches()) {
            throw refused(name, "'" + shown(value) + "' is no day such as MO, 2TU or -1FR");
        }
        int ordinal = matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1));
        if (matcher.group(1) != null && (ordinal == 0 || Math.abs(ordinal) > 53)) {
            throw refused(name, "'" + shown(value) + "' is beyond 1 to 53");
        }
        return new Weekday(ordinal, day(matcher.group(2)));
    }

    private DayOfWeek day(String value) {
        return Arrays.stream(DayOfWeek.values())
                .filter(day -> day.name().substring(0, 2).equals(value))
                .findFirst()
                .orElseThrow(() -> refused(name, "'" + shown(value) + "' is none of MO, TU, WE, TH, FR, SA, SU"));
    }

    private static String shown(String value) {
        return value.length() > 20 ? value.substring(0, 20) + "…" : value;
    }

    /** The exception for a number of fires that is refused. */
    InvalidCronException countRefused(String reason) {
        return refused("COUNT", reason);
    }

    private InvalidCronException refused(String part, String reason) {
        String value = values.get(part);
        return new InvalidCronException(
                part.toLowerCase(Locale.ROOT),
                columns.getOrDefault(part, 1),
                reason,
                value == null ? text : value,
                null);
    }
}
