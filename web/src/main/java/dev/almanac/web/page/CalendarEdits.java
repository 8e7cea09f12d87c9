package dev.almanac.web.page;

import dev.almanac.store.CalendarEdit;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.draw.Year;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.page.CalendarsPage.Edited;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.StoreReader;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Edits stored calendars, with a preview of the fires that an edit would move. */
final class CalendarEdits {
    private static final int FORBIDDEN = 403;
    private static final int MOST_DAYS = 120;
    private static final int DAYS = 366;

    private final StoreReader storeReader;
    private final KnownCalendars almanacs;
    private final Setup setup;

    CalendarEdits(StoreReader storeReader, KnownCalendars almanacs, Setup setup) {
        this.storeReader = storeReader;
        this.almanacs = almanacs;
        this.setup = setup;
    }

    /** What concerns jobs of every application is for viewers who see, and may change, all of them. */
    boolean isMine(PageRequest call) {
        return setup.changes() && call.changesAll();
    }

    Edited edit(PageRequest call, String name) {
        if (!isMine(call)) {
            throw new Refusal(FORBIDDEN, "You may not change calendars here.");
        }
        String typed = call.required("definition");
        try {
            Map<String, Object> definition = CalendarsPage.read(typed);
            ExclusionCalendar edited = almanacs.read(definition);
            if ("save".equals(call.parameter("do"))) {
                return save(call, name, definition);
            }
            return new Edited(
                    typed,
                    null,
                    days(call, name, edited),
                    almanacs.moved(almanacs.users(name).jobs(), name, edited),
                    false);
        } catch (IllegalArgumentException wrong) {
            return new Edited(typed, String.valueOf(wrong.getMessage()), List.of(), List.of(), false);
        }
    }

    private Edited save(PageRequest call, String name, Map<String, Object> definition) {
        CalendarEdit edit = storeReader
                .scheduler()
                .as(call.viewer().author(), call.reason())
                .calendars()
                .put(name, definition);
        storeReader.changed();
        return new Edited(CalendarsPage.text(edit.calendar().definition()), null, List.of(), List.of(), true);
    }

    /** Days of the year from today on that would be open or shut. */
    private List<String> days(PageRequest call, String name, ExclusionCalendar edited) {
        @Nullable
        ExclusionCalendar present = almanacs.all().stream()
                .filter(known -> known.name().equals(name))
                .map(KnownCalendars.Known::calendar)
                .findFirst()
                .orElse(null);
        if (present == null) {
            return List.of();
        }
        List<String> days = new ArrayList<>();
        LocalDate today = LocalDate.ofInstant(call.clock().now(), call.clock().zone());
        for (int i = 0; i < DAYS && days.size() < MOST_DAYS; i++) {
            LocalDate date = today.plusDays(i);
            Year.Day before = Year.day(date, present, call.clock().zone());
            Year.Day after = Year.day(date, edited, call.clock().zone());
            if (before != after) {
                days.add(date + ": " + word(before) + " → " + word(after));
            }
        }
        return days;
    }

    private static String word(Year.Day day) {
        return switch (day) {
            case OPEN -> "open";
            case PART -> "excluded in part";
            case SHUT -> "excluded";
        };
    }
}
