package dev.almanac.calendars;

import dev.almanac.text.Ascii;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import net.fortuna.ical4j.model.Recur;
import org.jspecify.annotations.Nullable;

/**
 * A yearly rule of an event. The library computes its dates; rules that the library accepts without meaning, or
 * computes differently from the standard, are refused before.
 */
final class YearlyRule {
    private static final Map<String, Pattern> PARTS = parts();
    private static final int LONGEST = 500;
    private static final Set<String> DAY_PARTS = Set.of("BYMONTHDAY", "BYDAY", "BYYEARDAY");

    private static final int DAYS_OF_A_YEAR = 366;
    private static final int DAYS_OF_A_MONTH = 31;
    private static final int WEEKS_OF_A_YEAR = 53;
    private static final int WEEKS_OF_A_MONTH = 5;

    private final RawEvent event;
    private final RawEvent.Line line;
    private final Map<String, String> parts;
    private final LocalDate start;
    private final Recur<LocalDate> recur;

    private YearlyRule(
            RawEvent event, RawEvent.Line line, Map<String, String> parts, LocalDate start, @Nullable LocalDate until) {
        this.event = event;
        this.line = line;
        this.parts = parts;
        this.start = start;
        this.recur = YearlyParts.recur(parts, until);
    }

    private static Map<String, Pattern> parts() {
        String list = "(%1$s)(,(%1$s))*";
        Map<String, Pattern> parts = new LinkedHashMap<>();
        parts.put("FREQ", Pattern.compile("YEARLY"));
        parts.put("INTERVAL", Pattern.compile("[1-9][0-9]?"));
        parts.put("COUNT", Pattern.compile("[1-9][0-9]{0,2}"));
        parts.put("UNTIL", Pattern.compile("[0-9]{8}(T[0-9]{6}Z?)?"));
        parts.put("BYMONTH", Pattern.compile(list.formatted("0?[1-9]|1[0-2]")));
        parts.put("BYMONTHDAY", Pattern.compile(list.formatted("[+-]?(0?[1-9]|[12][0-9]|3[01])")));
        parts.put(
                "BYDAY", Pattern.compile(list.formatted("([+-]?(0?[1-9]|[1-4][0-9]|5[0-3]))?(SU|MO|TU|WE|TH|FR|SA)")));
        String ofYear = list.formatted("[+-]?(0{0,2}[1-9]|0?[1-9][0-9]|[12][0-9]{2}|3[0-5][0-9]|36[0-6])");
        parts.put("BYYEARDAY", Pattern.compile(ofYear));
        parts.put("BYSETPOS", Pattern.compile(ofYear));
        parts.put("WKST", Pattern.compile("SU|MO|TU|WE|TH|FR|SA"));
        return parts;
    }

    /** @throws InvalidCalendarException if the rule is not yearly, or not of a form that is read */
    static YearlyRule of(RawEvent event, RawEvent.Line line, LocalDate start) {
        Map<String, String> parts = split(event, line);
        String unread = unread(parts);
        if (unread != null) {
            throw event.refused(line, unread);
        }
        String end = parts.get("UNTIL");
        LocalDate until = end == null ? null : EventReader.dateOf(event, line, end);
        try {
            return new YearlyRule(event, line, parts, start, until);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw event.refused(line, "is not understood: " + ShortText.shown(String.valueOf(e.getMessage())));
        }
    }

    private static Map<String, String> split(RawEvent event, RawEvent.Line line) {
        String text = line.value();
        Map<String, String> rule = new LinkedHashMap<>();
        if (text.length() > LONGEST) {
            throw event.refused(line, "is longer than the limit of " + LONGEST + " characters");
        }
        for (String part : Ascii.upper(text.strip()).split(";", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? "" : part.substring(equals + 1);
            if (name.equals("FREQ") && !value.equals("YEARLY")) {
                throw event.refused(line, "is more frequent than the limit, FREQ=YEARLY");
            }
            Pattern known = PARTS.get(name);
            if (known == null || !known.matcher(value).matches()) {
                throw event.refused(line, "has a part that is not read: '" + part + "'");
            }
            if (rule.put(name, value) != null) {
                throw event.refused(line, "names " + name + " twice");
            }
        }
        return rule;
    }

    /** Why a rule whose parts are fine each is not read all the same; null if it is. */
    private static @Nullable String unread(Map<String, String> rule) {
        boolean byMonth = rule.containsKey("BYMONTH");
        if (!rule.containsKey("FREQ")) {
            return "lacks FREQ=YEARLY";
        }
        if (rule.containsKey("COUNT") && rule.containsKey("UNTIL")) {
            return "has both COUNT and UNTIL";
        }
        if (rule.containsKey("BYMONTHDAY") && !byMonth) {
            return "has BYMONTHDAY without BYMONTH; name the months";
        }
        if (rule.containsKey("BYYEARDAY") && (byMonth || rule.containsKey("BYMONTHDAY") || rule.containsKey("BYDAY"))) {
            return "has BYYEARDAY beside other days or months";
        }
        if (rule.containsKey("BYSETPOS") && !byMonth && rule.keySet().stream().noneMatch(DAY_PARTS::contains)) {
            return "has BYSETPOS without a set to choose from";
        }
        return ordinals(rule, byMonth);
    }

    private static @Nullable String ordinals(Map<String, String> rule, boolean byMonth) {
        List<Integer> ordinals = Arrays.stream(rule.getOrDefault("BYDAY", "").split(","))
                .map(day -> day.replaceAll("[^0-9]", ""))
                .filter(digits -> !digits.isEmpty())
                .map(Integer::valueOf)
                .toList();
        if (!ordinals.isEmpty() && rule.containsKey("BYMONTHDAY")) {
            return "has numbered weekdays beside BYMONTHDAY";
        }
        return byMonth && ordinals.stream().anyMatch(ordinal -> ordinal > 5)
                ? "counts more than five weeks in a month"
                : null;
    }

    /** How many days the library looks at, at most, to find the starts within a window. */
    long looks(ICalendarWindow window) {
        long years = window.through().getYear() - first(window).getYear() + 3L;
        int months = parts.containsKey("BYMONTH") ? size("BYMONTH") : 1;
        int days;
        if (parts.containsKey("BYDAY")) {
            days = size("BYDAY") * (parts.containsKey("BYMONTH") ? WEEKS_OF_A_MONTH * months : WEEKS_OF_A_YEAR);
        } else if (parts.containsKey("BYYEARDAY")) {
            days = size("BYYEARDAY");
        } else {
            days = months * Math.min(DAYS_OF_A_MONTH, Math.max(1, size("BYMONTHDAY")));
        }
        return Math.max(0, years) * Math.min(DAYS_OF_A_YEAR, days);
    }

    private int size(String part) {
        String list = parts.get(part);
        return list == null ? 0 : list.split(",").length;
    }

    /** A count begins at the first occurrence; else the library need not walk through the years before the window. */
    private LocalDate first(ICalendarWindow window) {
        boolean counted = parts.containsKey("COUNT");
        return counted || start.isAfter(window.from()) ? start : window.from();
    }

    /**
     * The starts of the occurrences within a window, in order.
     *
     * @throws InvalidCalendarException if the rule does not name the start that its event has
     * @throws CancellationException if the thread is interrupted
     */
    List<LocalDate> starts(ICalendarWindow window) {
        if (!dates(new ICalendarWindow(start, start)).contains(start)) {
            throw event.refused(line, "does not name the date of DTSTART, " + start);
        }
        return dates(window);
    }

    private List<LocalDate> dates(ICalendarWindow window) {
        LocalDate first = first(window);
        if (first.isAfter(window.through())) {
            return List.of();
        }
        try {
            return recur.getDates(start, first, window.through()).stream()
                    .filter(window::holds)
                    .sorted()
                    .distinct()
                    .toList();
        } catch (RuntimeException e) {
            if (!Thread.currentThread().isInterrupted()) {
                throw e;
            }
            // the library stops with a bare RuntimeException
            CancellationException cancelled = new CancellationException("interrupted while reading a calendar");
            cancelled.initCause(e);
            throw cancelled;
        }
    }
}
