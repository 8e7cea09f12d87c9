package dev.almanac.console.calendars;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.console.terminal.Times;
import dev.almanac.store.StoredCalendar;
import java.time.ZoneOffset;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code almanac calendars list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists the stored calendars; those that services declare in code are not among them.")
final class ListCommand extends StoreCommand {
    @Override
    protected int answer(StoreAccess access, Output out) {
        List<StoredCalendar> calendars = CalendarAccess.in(access).all();
        out.list(
                "calendars", calendars, CalendarAccess::answer, "no calendars are stored", () -> table(out, calendars));
        return 0;
    }

    private static void table(Output out, List<StoredCalendar> calendars) {
        Table table = out.table()
                .column("NAME", Fit.MIDDLE)
                .column("KIND", Fit.WHOLE)
                .column("VERSION", Fit.WHOLE)
                .column("CHANGED (UTC)", Fit.WHOLE)
                .column("BY", Fit.END)
                .column("DESCRIPTION", Fit.END);
        for (StoredCalendar calendar : calendars) {
            table.row(
                    calendar.name(),
                    String.valueOf(calendar.definition().get("kind")),
                    "" + calendar.version(),
                    Times.second(calendar.latestUpdate(), ZoneOffset.UTC),
                    calendar.author().isEmpty() ? "-" : calendar.author(),
                    String.valueOf(calendar.definition().getOrDefault("description", "")));
        }
        table.print();
    }
}
