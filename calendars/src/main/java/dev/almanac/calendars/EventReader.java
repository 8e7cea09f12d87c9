package dev.almanac.calendars;

import dev.almanac.calendars.AllDayEvent.Span;
import dev.almanac.text.Ascii;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one event: when it starts, how long it is, and on which dates it comes again. Collects its problems. */
final class EventReader {
    private static final Pattern DATE = Pattern.compile("([0-9]{4})([0-9]{2})([0-9]{2})");
    private static final Pattern TIMED = Pattern.compile("[0-9]{8}T[0-9]{6}Z?");
    private static final Pattern DURATION = Pattern.compile("\\+?P([0-9]{1,3})([DW])");
    private static final Map<String, Boolean> CANCELLED =
            Map.of("CANCELLED", true, "CONFIRMED", false, "TENTATIVE", false);
    private static final int MOST_DAYS = 366;
    private static final int LONGEST_UID = 1_000;

    private final RawEvent raw;
    private final int mostDates;
    private final ProblemList problems = new ProblemList(ICalendarImport.RULE);

    EventReader(RawEvent raw, int mostDates) {
        this.raw = raw;
        this.mostDates = mostDates;
    }

    String uid() {
        RawEvent.Line line = raw.required("UID");
        String uid = line.value().strip();
        if (uid.isEmpty() || uid.length() > LONGEST_UID) {
            throw raw.refused(line, "must have 1 to " + LONGEST_UID + " characters; imports are compared by it");
        }
        return uid;
    }

    /** Whether it replaces an occurrence of the series that has its UID. */
    boolean isReplacement() {
        return !raw.all("RECURRENCE-ID").isEmpty();
    }

    /** The UID of that series as it is written, which may be one that is refused; empty if this is no replacement. */
    Optional<String> replacedUid() {
        return isReplacement()
                ? raw.all("UID").stream().map(line -> line.value().strip()).findFirst()
                : Optional.empty();
    }

    /** Whether it is marked as taking no time and replaces nothing, so that it is no day off. */
    boolean isNoDayOff() {
        return isTransparent() && !isReplacement();
    }

    private boolean isTransparent() {
        RawEvent.Line line = raw.single("TRANSP");
        return line != null && Ascii.upper(line.value().strip()).equals("TRANSPARENT");
    }

    /** Whether it starts at a time of day, so that no whole day is meant. */
    boolean isTimed() {
        List<RawEvent.Line> starts = raw.all("DTSTART");
        boolean timed =
                !starts.isEmpty() && TIMED.matcher(starts.get(0).value()).matches() && !isOfType(starts.get(0), "DATE");
        boolean ofWholeDay = raw.all("RECURRENCE-ID").stream()
                .anyMatch(line -> DATE.matcher(line.value()).matches());
        if (timed && ofWholeDay) {
            throw raw.refused(starts.get(0), "has a time of day, but replaces a whole day");
        }
        return timed;
    }

    /** @throws InvalidCalendarException with every problem of the event */
    AllDayEvent event() {
        String uid = tried(this::uid);
        Span span = tried(this::span);
        Boolean cancelled = tried(this::isCancelled);
        LocalDate replaces = tried(this::replaces);
        YearlyRule rule = span == null ? null : tried(() -> rule(span.start()));
        Set<LocalDate> further = dates("RDATE");
        Set<LocalDate> except = dates("EXDATE");
        raw.all("EXRULE").forEach(line -> problems.addAll(raw.refused(line, "is not read; write EXDATE")));
        if (replaces != null && (rule != null || !further.isEmpty() || !except.isEmpty())) {
            problems.addAll(raw.lacking("RECURRENCE-ID", "cannot be combined with a rule or further dates"));
        }
        problems.refuseIfAny();
        if (uid == null || span == null || cancelled == null) {
            throw new IllegalStateException("an event was refused without a problem");
        }
        return new AllDayEvent(raw, uid, replaces, cancelled, span, rule, further, except);
    }

    private <T> @Nullable T tried(Supplier<@Nullable T> read) {
        try {
            return read.get();
        } catch (InvalidCalendarException e) {
            problems.addAll(e);
            return null;
        }
    }

    private Span span() {
        RawEvent.Line line = raw.required("DTSTART");
        LocalDate start = date(line, line.value());
        RawEvent.Line end = raw.single("DTEND");
        RawEvent.Line duration = raw.single("DURATION");
        if (end != null && duration != null) {
            throw raw.refused(duration, "cannot be combined with DTEND");
        }
        if (end != null) {
            // some write the last day instead of the one after it
            long days = ChronoUnit.DAYS.between(start, date(end, end.value()));
            return new Span(start, days(end, days == 0 ? 1 : days));
        }
        return new Span(start, duration == null ? 1 : days(duration, length(duration)));
    }

    private int days(RawEvent.Line line, long days) {
        if (days < 1 || days > MOST_DAYS) {
            throw raw.refused(line, "gives " + days + " days; 1 to the limit of " + MOST_DAYS + " are read");
        }
        return (int) days;
    }

    private int length(RawEvent.Line line) {
        Matcher matcher = DURATION.matcher(Ascii.upper(line.value().strip()));
        if (!matcher.matches()) {
            throw raw.refused(line, "is not in whole days, such as P1D or P2W");
        }
        return Integer.parseInt(matcher.group(1)) * (matcher.group(2).equals("W") ? 7 : 1);
    }

    private @Nullable YearlyRule rule(LocalDate start) {
        RawEvent.Line line = raw.single("RRULE");
        return line == null ? null : YearlyRule.of(raw, line, start);
    }

    private @Nullable LocalDate replaces() {
        RawEvent.Line line = raw.single("RECURRENCE-ID");
        if (line == null) {
            return null;
        }
        if (line.parameters().containsKey("RANGE")) {
            throw raw.refused(line, "has RANGE, which is not read; replace single occurrences");
        }
        return date(line, line.value());
    }

    private boolean isCancelled() {
        RawEvent.Line line = raw.single("STATUS");
        if (line == null || isTransparent()) {
            return isTransparent();
        }
        Boolean cancelled = CANCELLED.get(Ascii.upper(line.value().strip()));
        if (cancelled == null) {
            throw raw.refused(line, "is not known; CONFIRMED, TENTATIVE or CANCELLED");
        }
        return cancelled;
    }

    private Set<LocalDate> dates(String property) {
        Set<LocalDate> dates = new TreeSet<>();
        int read = 0;
        for (RawEvent.Line line : raw.all(property)) {
            for (String item : line.value().split(",", -1)) {
                if (++read > mostDates) {
                    problems.addAll(raw.refused(line, "names more dates than the limit of " + mostDates));
                    return dates;
                }
                boolean timed =
                        property.equals("EXDATE") && TIMED.matcher(item.strip()).matches();
                LocalDate date = tried(() -> timed ? dateOf(raw, line, item.strip()) : date(line, item));
                if (date != null) {
                    dates.add(date);
                }
            }
        }
        return dates;
    }

    /**
     * Of a whole day that some write with a time of day; which day a moment in UTC means depends on the zone of its writer, but
     * for the first and the last second of a day.
     *
     * @param line in which it stands
     * @param text eight digits, and perhaps a time of day
     */
    static LocalDate dateOf(RawEvent raw, RawEvent.Line line, String text) {
        if (text.endsWith("Z") && !text.endsWith("T000000Z") && !text.endsWith("T235959Z")) {
            throw raw.refused(line, "is in UTC, and its day there may be another one; write the day, such as 20261225");
        }
        try {
            return LocalDate.parse(text.substring(0, 8), DateTimeFormatter.BASIC_ISO_DATE);
        } catch (DateTimeException e) {
            throw raw.refused(line, "names a day that does not exist: '" + text + "'");
        }
    }

    private LocalDate date(RawEvent.Line line, String text) {
        Matcher matcher = DATE.matcher(text.strip());
        if (matcher.matches() && (!line.parameters().containsKey("VALUE") || isOfType(line, "DATE"))) {
            try {
                return LocalDate.of(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3)));
            } catch (DateTimeException e) {
                throw raw.refused(line, "names a day that does not exist: '" + text.strip() + "'");
            }
        }
        String item = ShortText.shown(text);
        throw raw.refused(line, "is no date such as 20261225: '" + item + "'; whole days have dates only");
    }

    private static boolean isOfType(RawEvent.Line line, String type) {
        return type.equalsIgnoreCase(line.parameters().get("VALUE"));
    }
}
