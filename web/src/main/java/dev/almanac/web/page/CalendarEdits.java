package dev.almanac.web.page;

import dev.almanac.model.ReplanResult;
import dev.almanac.store.CalendarEdit;
import dev.almanac.store.StoredCalendar;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.json.Answers;
import dev.almanac.web.page.CalendarsPage.Edited;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.StoreReader;
import java.util.ArrayList;
import java.util.List;
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

    /**
     * What an edit did that was stored.
     *
     * @param words in sentences
     */
    record Saved(List<String> words) {
        /** @param version that was replaced */
        private static Saved of(CalendarEdit edit, long version) {
            ReplanResult jobs = edit.jobs();
            List<String> words = new ArrayList<>();
            for (String line : Answers.edited("It", edit, edit.calendar().version() != version)) {
                words.add(Character.toUpperCase(line.charAt(0)) + line.substring(1) + ".");
            }
            if (jobs.blocked() > 0) {
                words.add(jobs.blocked() + " jobs have no fire left and are blocked.");
            }
            return new Saved(List.copyOf(words));
        }
    }

    /** What the edit did whose result the page is; absent if it is the result of none. */
    @Nullable
    Saved saved(PageRequest call) {
        return operations
                .result(call.parameter("saved"), call.viewer().author(), Saved.class)
                .orElse(null);
    }

    /** The edit with its effects, or its problem; absent if it was stored. */
    @Nullable
    Edited edit(PageRequest call, String name) {
        if (!mayChange(call)) {
            throw new Refusal(FORBIDDEN, "You may not change calendars here.");
        }
        // the same form once more
        String author = call.viewer().author();
        if (operations.result(call.parameter("operation"), author, Saved.class).isPresent()) {
            return null;
        }
        String typed = call.required("definition");
        long version = version(call);
        KnownCalendars.Known present = present(name);
        if (present == null) {
            return new Edited(typed, version, "it was removed since this edit began; nothing was stored", null, false);
        }
        StoredCalendar stored = present.stored();
        if (stored != null && stored.version() != version) {
            return new Edited(typed, stored.version(), changed(stored), null, false);
        }
        try {
            if (stored == null) {
                throw new IllegalArgumentException("it is declared in code, and can be changed only there");
            }
            Map<String, Object> definition = CalendarsPage.read(typed);
            ExclusionCalendar edited = source.read(definition);
            boolean store = "save".equals(call.parameter("do"));
            if (store && CalendarsPage.fingerprint(definition).equals(call.parameter("shown"))) {
                save(call, name, version, definition);
                return null;
            }
            KnownCalendars.Moves jobs = source.moves(name, edited);
            return new Edited(
                    typed, version, null, EditPreview.of(present.calendar(), edited, jobs, call.clock()), store);
        } catch (IllegalArgumentException wrong) {
            return new Edited(typed, version, String.valueOf(wrong.getMessage()), null, false);
        }
    }

    private static String changed(StoredCalendar stored) {
        return "it was changed since this edit began: it is version " + stored.version() + " now, by " + stored.author()
                + "; nothing was stored. Look at what this edit would change of that version";
    }

    private void save(PageRequest call, String name, long version, Map<String, Object> definition) {
        String author = call.viewer().author();
        String reason = call.reason();
        String operation = call.parameter("operation");
        if (operation == null || !operations.isKnown(operation, author)) {
            throw new IllegalArgumentException(Operations.UNKNOWN);
        }
        operations.once(operation, author, Saved.class, () -> {
            try {
                return Saved.of(
                        storeReader.changing().as(author, reason).calendars().replace(name, version, definition),
                        version);
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

    private KnownCalendars.@Nullable Known present(String name) {
        return source.all().stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
