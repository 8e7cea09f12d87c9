package dev.almanac.web.page;

import dev.almanac.store.CalendarEdit;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.page.CalendarsPage.Edited;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.StoreReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Edits stored calendars, with a preview of the fires that an edit would move. */
final class CalendarEdits {
    private static final int FORBIDDEN = 403;

    private final StoreReader storeReader;
    private final KnownCalendars source;
    private final Setup setup;
    private final Operations operations;

    CalendarEdits(StoreReader storeReader, KnownCalendars source, Setup setup, Operations operations) {
        this.storeReader = storeReader;
        this.source = source;
        this.setup = setup;
        this.operations = operations;
    }

    /** Calendars and pauses concern all applications, so the viewer must see and be allowed to change all. */
    boolean mayChange(PageRequest call) {
        return setup.changes() && call.changesAll();
    }

    /** Whether the page is the result of an edit that was stored. */
    boolean isSaved(PageRequest call) {
        return operations
                .result(call.parameter("saved"), call.viewer().author(), CalendarEdit.class)
                .isPresent();
    }

    /** The edit with its effects, or its problem; absent if it was stored. */
    @Nullable
    Edited edit(PageRequest call, String name) {
        if (!mayChange(call)) {
            throw new Refusal(FORBIDDEN, "You may not change calendars here.");
        }
        String typed = call.required("definition");
        try {
            Map<String, Object> definition = CalendarsPage.read(typed);
            ExclusionCalendar edited = source.read(definition);
            boolean store = "save".equals(call.parameter("do"));
            if (store && CalendarsPage.fingerprint(definition).equals(call.parameter("shown"))) {
                save(call, name, definition);
                return null;
            }
            KnownCalendars.Moves jobs = source.moves(name, edited);
            return new Edited(typed, null, EditPreview.of(present(name), edited, jobs, call.clock()), store);
        } catch (IllegalArgumentException wrong) {
            return new Edited(typed, String.valueOf(wrong.getMessage()), null, false);
        }
    }

    private void save(PageRequest call, String name, Map<String, Object> definition) {
        String author = call.viewer().author();
        String reason = call.reason();
        long version = version(call);
        String operation = call.parameter("operation");
        if (operation == null || !operations.isKnown(operation, author)) {
            throw new IllegalArgumentException(Operations.UNKNOWN);
        }
        operations.once(operation, author, CalendarEdit.class, () -> {
            try {
                return storeReader.changing().as(author, reason).calendars().replace(name, version, definition);
            } finally {
                storeReader.changed();
            }
        });
    }

    /** The edit shows and replaces one version; another one may contain changes that its author has not seen. */
    private static long version(PageRequest call) {
        try {
            return Long.parseLong(call.required("version"));
        } catch (NumberFormatException e) {
            throw Refusal.badRequest("'version' is no version of a calendar; load the page again.");
        }
    }

    private @Nullable ExclusionCalendar present(String name) {
        return source.all().stream()
                .filter(known -> known.name().equals(name))
                .map(KnownCalendars.Known::calendar)
                .findFirst()
                .orElse(null);
    }
}
