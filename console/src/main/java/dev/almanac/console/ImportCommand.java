package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.calendars.ICalendarDates;
import dev.almanac.calendars.ICalendarEvent;
import dev.almanac.calendars.ICalendarImport;
import dev.almanac.store.CalendarEdit;
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

    @Option(names = "--yes", description = "also if more dates are removed than the file has")
    private boolean yes;

    @Override
    public Integer call() {
        JobsFile.refuseUnreadable(file);
        return session.useStore(access -> {
            Scheduler scheduler = session.scheduler(access);
            ICalendarDates dates = InvalidInputException.unless(
                    "the file " + file + " was refused, nothing was written: ",
                    () -> read(from == null ? LocalDate.ofInstant(access.now(), ZoneOffset.UTC) : from));
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
                added.forEach(date -> out.line("+ " + date
                        + summary(dates, date).map(summary -> "  " + summary).orElse("")));
                removed.forEach(date -> out.line("- " + date));
                dates.leftOut().forEach(event -> out.line("left out: " + event.uid() + ": " + event.reason()));
            }
            Fields fields = fields(dates, added, removed);
            if (dryRun) {
                out.answer(
                        fields.with("dryRun", true),
                        added.size() + " dates are added, " + removed.size() + " removed; nothing was written");
            }
            InvalidInputException.when(
                    removed.size() > dates.dates().size() && !yes,
                    "nothing was written: the file has "
                            + (dates.dates().isEmpty()
                                    ? "no dates"
                                    : dates.dates().size() == 1
                                            ? "1 date"
                                            : dates.dates().size() + " dates")
                            + " from " + dates.from() + " on, and " + removed.size()
                            + (removed.size() == 1 ? " stored date" : " stored dates")
                            + " would be removed; add --yes if that is meant");
            CalendarDefinition definition = new CalendarDefinition(CalendarDefinition.Kind.HOLIDAY, values);
            if (dryRun) {
                CalendarsCommand.refuse(scheduler, name, definition);
            } else {
                CalendarsCommand.print(out, before, stored(scheduler, before, definition), fields);
            }
        });
    }

    /** Stores the dates in the place of those that they were merged with; an edit by others is never overwritten. */
    private CalendarEdit stored(Scheduler scheduler, Optional<StoredCalendar> before, CalendarDefinition definition) {
        CalendarsCommand.refuse(scheduler, name, definition);
        long version = before.map(StoredCalendar::version).orElse(0L);
        try {
            return scheduler.calendars().replace(name, version, definition.toMap());
        } catch (IllegalArgumentException e) {
            Optional<StoredCalendar> now = CalendarsCommand.find(scheduler, name);
            if (now.map(StoredCalendar::version).orElse(0L) == version) {
                throw e;
            }
            throw new CommandFailedException(
                    "calendar '" + name + "' was changed meanwhile, and nothing was written; run it again", e);
        }
    }

    /** What the lines for people say. */
    private static Fields fields(ICalendarDates dates, List<LocalDate> added, List<LocalDate> removed) {
        Map<String, String> summaries = new LinkedHashMap<>();
        for (LocalDate date : added) {
            summary(dates, date).ifPresent(summary -> summaries.put(date.toString(), summary));
        }
        return new Fields()
                .list("added", added)
                .list("removed", removed)
                .with("summaries", summaries.isEmpty() ? null : summaries)
                .list(
                        "leftOut",
                        dates.leftOut().stream()
                                .map(event ->
                                        new Fields().with("uid", event.uid()).with("reason", event.reason()))
                                .toList());
    }

    private ICalendarDates read(LocalDate first) {
        try (InputStream in = Files.newInputStream(file)) {
            return ICalendarImport.read(in, first);
        } catch (IOException e) {
            throw new InvalidInputException("the file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private Map<String, String> holiday(StoredCalendar calendar) {
        CalendarDefinition definition = CalendarDefinition.of(calendar.definition());
        InvalidInputException.when(
                definition.kind() != CalendarDefinition.Kind.HOLIDAY,
                "calendar '" + name + "' is of kind "
                        + calendar.definition().get("kind")
                        + "; dates can be imported into a Holiday calendar only, so give another name");
        return definition.values();
    }

    private static List<LocalDate> without(Collection<LocalDate> dates, Collection<LocalDate> others) {
        return dates.stream().filter(date -> !others.contains(date)).toList();
    }

    private static Optional<String> summary(ICalendarDates dates, LocalDate date) {
        return dates.events().stream()
                .filter(event ->
                        event.dates().contains(date) && !event.summary().isEmpty())
                .map(ICalendarEvent::summary)
                .findFirst();
    }
}
