package dev.almanac.console.calendars;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.calendars.InvalidCalendarException;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.store.StoredCalendar;
import java.time.ZoneOffset;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code almanac calendars show}. */
@Command(name = "show", mixinStandardHelpOptions = true, description = "Shows a stored calendar.")
final class ShowCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "the calendar's name")
    private String name;

    @Override
    protected int answer(StoreAccess access, Output out) {
        StoredCalendar calendar = CalendarAccess.in(access).get(name);
        if (out.isJson()) {
            out.json(CalendarAccess.answer(calendar));
            return 0;
        }
        out.head(calendar.name());
        try {
            CalendarDefinition definition = CalendarDefinition.of(calendar.definition());
            out.value("kind", calendar.definition().get("kind"));
            new TreeMap<>(definition.values()).forEach(out::value);
        } catch (InvalidCalendarException e) {
            out.value("unreadable", e.getMessage());
            calendar.definition().forEach(out::value);
        }
        out.value("version", calendar.version() + ", of " + Times.both(calendar.latestUpdate(), ZoneOffset.UTC));
        if (!calendar.author().isEmpty()) {
            out.value("by", calendar.author());
        }
        return 0;
    }
}
