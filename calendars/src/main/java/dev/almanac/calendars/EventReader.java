package dev.almanac.calendars;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one event: when it starts, how long it is, and on which dates it comes again. */
final class EventReader {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuuMMdd", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    private static final Pattern DURATION = Pattern.compile("\\+?P([0-9]{1,3})([DW])");
    private static final int MOST_DAYS = 366;
    private static final int LONGEST_SUMMARY = 200;
    private static final int LONGEST_UID = 1_000;

    private final RawEvent raw;
    private final String uid;

    EventReader(RawEvent raw) {
        this.raw = raw;
        RawEvent.Line line = raw.single("UID");
        this.uid = line == null ? "" : line.value().strip();
        if (uid.isEmpty() || uid.length() > LONGEST_UID) {
            throw raw.refused("UID", uid, "must have 1 to " + LONGEST_UID + " characters; imports are compared by it");
        }
    }

    String uid() {
        return uid;
    }

    /** Whether it starts at a time of day, so that no whole day is meant. */
    boolean isTimed() {
        return start().value().contains("T");
    }

    ICalendarEvent event(ICalendarWindow window) {
        for (String property : List.of("EXRULE", "RECURRENCE-ID")) {
            if (!raw.all(property).isEmpty()) {
                throw raw.refused(property, raw.all(property).get(0).value(), "is not read; write RDATE and EXDATE");
            }
        }
        LocalDate start = date("DTSTART", start().value());
        int days = days(start);
        Set<LocalDate> starts = new TreeSet<>(List.of(start));
        ICalendarWindow reach = new ICalendarWindow(window.from().minusDays(days), window.through());
        RawEvent.Line rule = raw.single("RRULE");
        if (rule != null) {
            starts.addAll(YearlyRule.of(raw, rule.value(), start).starts(reach));
        }
        starts.addAll(dates("RDATE"));
        starts.removeAll(dates("EXDATE"));
        starts.removeIf(date -> !reach.holds(date));
        return new ICalendarEvent(uid, summary(), isCancelled() ? List.of() : covered(starts, days, window));
    }

    private static List<LocalDate> covered(Collection<LocalDate> starts, int days, ICalendarWindow window) {
        Set<LocalDate> covered = new TreeSet<>();
        for (LocalDate start : starts) {
            start.datesUntil(start.plusDays(days)).filter(window::holds).forEach(covered::add);
        }
        return List.copyOf(covered);
    }

    private RawEvent.Line start() {
        RawEvent.Line start = raw.single("DTSTART");
        if (start == null) {
            throw raw.refused("DTSTART", null, "is required");
        }
        return start;
    }

    /** How many days each occurrence covers; one if nothing is said. */
    private int days(LocalDate start) {
        RawEvent.Line end = raw.single("DTEND");
        RawEvent.Line duration = raw.single("DURATION");
        if (end != null && duration != null) {
            throw raw.refused("DURATION", duration.value(), "stands beside DTEND; one of the two is allowed");
        }
        if (end != null) {
            return days("DTEND", end.value(), ChronoUnit.DAYS.between(start, date("DTEND", end.value())));
        }
        return duration == null ? 1 : days("DURATION", duration.value(), length(duration.value()));
    }

    private int days(String property, String value, long days) {
        if (days < 1 || days > MOST_DAYS) {
            throw raw.refused(property, value, "gives " + days + " days; 1 to the limit of " + MOST_DAYS + " are read");
        }
        return (int) days;
    }

    private int length(String text) {
        Matcher matcher = DURATION.matcher(text.strip());
        if (!matcher.matches()) {
            throw raw.refused("DURATION", text, "is not in whole days, such as P1D or P2W");
        }
        return Integer.parseInt(matcher.group(1)) * (matcher.group(2).equals("W") ? 7 : 1);
    }

    private List<LocalDate> dates(String property) {
        List<LocalDate> dates = new ArrayList<>();
        for (RawEvent.Line line : raw.all(property)) {
            for (String item : line.value().split(",", -1)) {
                dates.add(date(property, item));
            }
        }
        return dates;
    }

    private LocalDate date(String property, String text) {
        try {
            return LocalDate.parse(text.strip(), DATE);
        } catch (DateTimeException e) {
            throw raw.refused(property, text, "is no date such as 20261225; an all-day event has dates only");
        }
    }

    private boolean isCancelled() {
        RawEvent.Line status = raw.single("STATUS");
        return status != null && status.value().strip().equalsIgnoreCase("CANCELLED");
    }

    private String summary() {
        RawEvent.@Nullable Line line = raw.single("SUMMARY");
        if (line == null) {
            return "";
        }
        String text = line.value()
                .replaceAll("\\\\[nN]", " ")
                .replaceAll("\\\\([,;\\\\])", "$1")
                .replaceAll("\\p{Cntrl}", " ")
                .strip();
        return text.length() > LONGEST_SUMMARY ? text.substring(0, LONGEST_SUMMARY) + "…" : text;
    }
}
