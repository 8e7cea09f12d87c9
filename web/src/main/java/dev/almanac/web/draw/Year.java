package dev.almanac.web.draw;

import dev.almanac.time.ExclusionCalendar;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.ZoneId;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A year at a glance: a column for each week, a row for each day of the week.
 *
 * @param cells a day each
 * @param labels the months
 * @param failures what calendars have thrown, once each; from that day on they are left out
 */
public record Year(int year, List<Cell> cells, List<Label> labels, List<String> failures) {
    /** Side of a cell with its gap. */
    public static final int STEP = 15;

    private static final int QUARTER_SECONDS = 900;

    /** How much of a day is excluded. */
    public enum Day {
        /** No part of it. */
        OPEN,
        /** Some of it. */
        PART,
        /** All of it. */
        SHUT
    }

    /**
     * A day.
     *
     * @param by names of the calendars that exclude all or some of it
     */
    public record Cell(LocalDate date, int x, int y, Day day, List<String> by) {
        /** In words. */
        public String title() {
            String name = date.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH) + " " + date;
            return switch (day) {
                case OPEN -> name + ": open";
                case PART -> name + ": excluded in part by " + String.join(", ", by);
                case SHUT -> name + ": excluded by " + String.join(", ", by);
            };
        }
    }

    /** The name of a month above its first week. */
    public record Label(int x, String text) {}

    /**
     * @param calendars by name; a day is excluded if one of them excludes it, as a day of its own zone
     * @param zone of those that have none of their own
     */
    public static Year of(int year, Map<String, ExclusionCalendar> calendars, ZoneId zone) {
        List<Cell> cells = new ArrayList<>();
        List<Label> labels = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        Map<String, ExclusionCalendar> drawn = new LinkedHashMap<>(calendars);
        LocalDate first = LocalDate.of(year, Month.JANUARY, 1);
        int shift = first.getDayOfWeek().getValue() - DayOfWeek.MONDAY.getValue();
        for (LocalDate date = first; date.getYear() == year; date = date.plusDays(1)) {
            int place = date.getDayOfYear() - 1 + shift;
            int x = place / 7 * STEP;
            cells.add(cell(date, x, place % 7 * STEP, drawn, failures, zone));
            if (date.getDayOfMonth() == 1) {
                labels.add(new Label(x, date.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH)));
            }
        }
        return new Year(year, cells, labels, failures);
    }

    private static Cell cell(
            LocalDate date,
            int x,
            int y,
            Map<String, ExclusionCalendar> calendars,
            List<String> failures,
            ZoneId zone) {
        Day worst = Day.OPEN;
        List<String> by = new ArrayList<>();
        for (Map.Entry<String, ExclusionCalendar> calendar : List.copyOf(calendars.entrySet())) {
            try {
                Day day = day(date, calendar.getValue(), zone(calendar.getValue(), zone));
                if (day != Day.OPEN) {
                    by.add(calendar.getKey());
                    worst = day.compareTo(worst) > 0 ? day : worst;
                }
            } catch (IllegalArgumentException failed) {
                failures.add(String.valueOf(failed.getMessage()));
                calendars.remove(calendar.getKey());
            }
        }
        return new Cell(date, x, y, worst, by);
    }

    /** The zone of a calendar, or this one if it has none of its own. */
    public static ZoneId zone(ExclusionCalendar calendar, ZoneId otherwise) {
        ZoneId own = calendar.zone();
        return own == null ? otherwise : own;
    }

    /** How much of a day a calendar excludes; parts are examined at each quarter of an hour. */
    public static Day day(LocalDate date, ExclusionCalendar calendar, ZoneId zone) {
        Instant start = date.atStartOfDay(zone).toInstant();
        Instant end = date.plusDays(1).atStartOfDay(zone).toInstant();
        Optional<Instant> open = calendar.nextIncluded(start, zone);
        if (open.isEmpty() || !open.get().isBefore(end)) {
            return Day.SHUT;
        }
        if (open.get().isAfter(start)) {
            return Day.PART;
        }
        return quarters(date, calendar, zone).isEmpty() ? Day.OPEN : Day.PART;
    }

    /** The quarters of an hour of a day, counted from its start, whose beginnings a calendar excludes. */
    public static BitSet quarters(LocalDate date, ExclusionCalendar calendar, ZoneId zone) {
        Instant start = date.atStartOfDay(zone).toInstant();
        Instant end = date.plusDays(1).atStartOfDay(zone).toInstant();
        BitSet excluded = new BitSet();
        Instant at = start;
        for (int quarter = 0; at.isBefore(end); quarter++) {
            excluded.set(quarter, !calendar.isIncluded(at, zone));
            at = at.plusSeconds(QUARTER_SECONDS);
        }
        return excluded;
    }

    /** The days that are excluded, all or in part. */
    public List<Cell> excluded() {
        return cells.stream().filter(cell -> cell.day() != Day.OPEN).toList();
    }
}
