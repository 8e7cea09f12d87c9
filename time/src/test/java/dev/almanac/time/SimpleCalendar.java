package dev.almanac.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Calendars for tests, small enough to be plainly right: whole dates, and one range of wall times of each day. */
record SimpleCalendar(String description, Predicate<LocalDate> excludesDate, LocalTime from, LocalTime to)
        implements ExclusionCalendar {

    static SimpleCalendar dates(String description, Predicate<LocalDate> excluded) {
        return new SimpleCalendar(description, excluded, LocalTime.MAX, LocalTime.MIN);
    }

    static SimpleCalendar without(String... dates) {
        return of("Holiday", String.join(",", dates));
    }

    static SimpleCalendar times(String from, String to) {
        return new SimpleCalendar(from + " to " + to, date -> false, LocalTime.parse(from), LocalTime.parse(to));
    }

    static SimpleCalendar weekends() {
        return dates("weekends", date -> date.getDayOfWeek().getValue() > 5);
    }

    static SimpleCalendar of(String kind, String parameters) {
        String value = parameters.substring(parameters.indexOf('=') + 1);
        List<String> items = Arrays.asList(value.split(","));
        return switch (kind) {
            case "Daily" -> times(value.substring(0, 5), value.substring(value.length() - 5));
            case "Monthly" -> dates(kind, date -> items.contains(Integer.toString(date.getDayOfMonth())));
            case "Annual" ->
                dates(kind, date -> items.contains(MonthDay.from(date).format(DateTimeFormatter.ofPattern("MM-dd"))));
            case "Holiday" -> dates(kind, date -> items.contains(date.toString()));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @Override
    public boolean isIncluded(Instant instant, ZoneId jobZone) {
        ZonedDateTime local = instant.atZone(jobZone);
        LocalTime time = local.toLocalTime();
        boolean excludedTime = !time.isBefore(from) && !time.isAfter(to);
        return !excludedTime && !excludesDate.test(local.toLocalDate());
    }

    @Override
    public Optional<Instant> nextIncluded(Instant start, ZoneId jobZone) {
        Instant at = start;
        for (int i = 0; i < 20 * 366 * 2; i++) {
            if (isIncluded(at, jobZone)) {
                return Optional.of(at);
            }
            ZonedDateTime local = at.atZone(jobZone);
            boolean date = excludesDate.test(local.toLocalDate());
            ZonedDateTime later = date
                    ? local.toLocalDate().plusDays(1).atStartOfDay(jobZone)
                    : local.toLocalDate().atTime(to).plusNanos(1_000_000).atZone(jobZone);
            Instant first = later.withEarlierOffsetAtOverlap().toInstant();
            at = first.isAfter(at) ? first : later.withLaterOffsetAtOverlap().toInstant();
        }
        return Optional.empty();
    }
}
