package dev.almanac.console;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.calendars.ICalendarDates;
import dev.almanac.calendars.ICalendarEvent;
import dev.almanac.calendars.ICalendarImport;
import dev.almanac.store.StoredCalendar;
import dev.almanac.web.json.Fields;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac calendars import}. */
@Command(
        name = "import",
        description = {
            "Stores the all-day events of an iCalendar file as a Holiday calendar.",
            "From the first date on, the file's dates replace the stored ones; earlier ones are kept."
        })
final class ImportCommand implements Callable<Integer> {
    private static final String DATES = "exclude-dates";

    @Mixin
    private ChangeSession session;

    @Parameters(index = "0", paramLabel = "NAME", description = "the name that jobs use")
    private String name;

    @Parameters(index = "1", paramLabel = "FILE", description = "an iCalendar file (.ics)")
    private Path file;

    @Option(names = "--from", paramLabel = "DATE", description = "the first date of interest (default: today, UTC)")
    private @Nullable LocalDate from;

    @Option(names = "--dry-run", description = "only show which dates are added and removed")
    private boolean dryRun;

    @Option(names = "--yes", description = "also if the file has no dates, and stored ones are removed")
    private boolean yes;

    @Override
    public Integer call() {
        ICalendarDates dates = InvalidInputException.unless(
                "the file " + file + " was refused, nothing was written: ",
                () -> read(from == null ? LocalDate.now(ZoneOffset.UTC) : from));
        return session.use(scheduler -> {
            Optional<StoredCalendar> before = CalendarsCommand.find(scheduler, name);
            Map<String, String> values =
                    new LinkedHashMap<>(before.map(this::holiday).orElse(Map.of()));
            SortedSet<LocalDate> old = Stream.of(values.getOrDefault(DATES, "").split(","))
                    .filter(Predicate.not(String::isBlank))
                    .map(date -> LocalDate.parse(date.strip()))
                    .collect(Collectors.toCollection(TreeSet::new));
            SortedSet<LocalDate> wanted = new TreeSet<>(old.headSet(dates.from()));
            wanted.addAll(dates.dates());
            values.put(DATES, wanted.stream().map(LocalDate::toString).collect(Collectors.joining(",")));
            List<LocalDate> added = without(wanted, old);
            List<LocalDate> removed = without(old, wanted);
            Output out = session.out();
            if (!out.isJson()) {
                added.forEach(date -> out.line("+ " + date + summary(dates, date)));
                removed.forEach(date -> out.line("- " + date));
                dates.leftOut().forEach(event -> out.line("left out: " + event.uid() + ": " + event.reason()));
            }
            if (dryRun) {
                out.answer(
                        new Fields().list("added", added).list("removed", removed),
                        added.size() + " dates are added, " + removed.size() + " removed; nothing was written");
                return;
            }
            if (dates.dates().isEmpty() && !removed.isEmpty() && !yes) {
                throw new InvalidInputException("nothing was written: the file has no dates from " + dates.from()
                        + " on, and " + removed.size() + (removed.size() == 1 ? " stored date" : " stored dates")
                        + " would be removed; add --yes if that is meant");
            }
            CalendarDefinition definition = new CalendarDefinition(CalendarDefinition.Kind.HOLIDAY, values);
            CalendarsCommand.print(out, before, CalendarsCommand.put(scheduler, name, definition));
        });
    }

    private ICalendarDates read(LocalDate first) {
        JobsFile.refuseUnreadable(file);
        try (InputStream in = Files.newInputStream(file)) {
            return ICalendarImport.read(in, first);
        } catch (IOException e) {
            throw new InvalidInputException("the file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private Map<String, String> holiday(StoredCalendar calendar) {
        CalendarDefinition definition = CalendarDefinition.of(calendar.definition());
        if (definition.kind() != CalendarDefinition.Kind.HOLIDAY) {
            throw new InvalidInputException("calendar '" + name + "' is of kind "
                    + calendar.definition().get("kind")
                    + "; dates can be imported into a Holiday calendar only, so give another name");
        }
        return definition.values();
    }

    private static List<LocalDate> without(Collection<LocalDate> dates, Collection<LocalDate> others) {
        return dates.stream().filter(date -> !others.contains(date)).toList();
    }

    private static String summary(ICalendarDates dates, LocalDate date) {
        return dates.events().stream()
                .filter(event ->
                        event.dates().contains(date) && !event.summary().isEmpty())
                .map(ICalendarEvent::summary)
                .findFirst()
                .map(summary -> "  " + summary)
                .orElse("");
    }
}
