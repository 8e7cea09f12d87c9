package dev.almanac.console.calendars;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.calendars.ICalendarDates;
import dev.almanac.calendars.ICalendarEvent;
import dev.almanac.calendars.ICalendarImport;
import dev.almanac.calendars.InvalidCalendarException;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.store.StoredCalendar;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac calendars import}. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = {
            "Stores the all-day events of an iCalendar file as a Holiday calendar.",
            "From the first date on, the file's dates replace the stored ones; earlier ones are kept."
        })
final class ImportCommand extends StoreCommand {
    private static final String DATES = "exclude-dates";

    @Parameters(index = "0", paramLabel = "NAME", description = "the name that jobs use")
    private String name;

    @Parameters(index = "1", paramLabel = "FILE", description = "an iCalendar file (.ics)")
    private Path file;

    @Option(names = "--from", paramLabel = "DATE", description = "the first date of interest (default: today, UTC)")
    private @Nullable String from;

    @Option(names = "--dry-run", description = "only show which dates are added and removed")
    private boolean dryRun;

    @Mixin
    private ActorOptions actor;

    private ICalendarDates dates;

    @Override
    protected void check() {
        dates = read(from == null ? LocalDate.now(ZoneOffset.UTC) : date(from));
    }

    private static LocalDate date(String text) {
        try {
            return LocalDate.parse(text.strip());
        } catch (DateTimeException e) {
            throw new InvalidInputException("--from '" + text + "' is no date; write 2026-01-01");
        }
    }

    private ICalendarDates read(LocalDate first) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new InvalidInputException(
                    "the file " + file + (Files.exists(file) ? " cannot be read" : " does not exist"));
        }
        try (InputStream in = Files.newInputStream(file)) {
            return ICalendarImport.read(in, first);
        } catch (InvalidCalendarException e) {
            throw new InvalidInputException(
                    "the file " + file + " was refused, nothing was written: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new InvalidInputException("the file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        CalendarAccess stored = CalendarAccess.in(access, actor);
        Optional<StoredCalendar> before = stored.find(name);
        Map<String, String> values =
                new LinkedHashMap<>(before.map(this::holiday).orElse(Map.of()));
        SortedSet<LocalDate> old = dates(values.getOrDefault(DATES, ""));
        SortedSet<LocalDate> wanted = new TreeSet<>(old.headSet(dates.from()));
        wanted.addAll(dates.dates());
        values.put(DATES, wanted.stream().map(LocalDate::toString).collect(Collectors.joining(",")));
        CalendarDefinition definition = new CalendarDefinition(CalendarDefinition.Kind.HOLIDAY, values);
        if (!out.isJson()) {
            show(out, old, wanted);
        }
        if (dryRun) {
            differences(out, old, wanted);
            return 0;
        }
        CalendarAccess.print(out, stored.put(name, definition), before.isEmpty() || !old.equals(wanted));
        return 0;
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

    private static SortedSet<LocalDate> dates(String text) {
        SortedSet<LocalDate> dates = new TreeSet<>();
        for (String date : text.split(",")) {
            if (!date.isBlank()) {
                dates.add(LocalDate.parse(date.strip()));
            }
        }
        return dates;
    }

    private void show(Output out, SortedSet<LocalDate> old, SortedSet<LocalDate> wanted) {
        for (LocalDate date : wanted) {
            if (!old.contains(date)) {
                out.line("+ " + date + summary(date));
            }
        }
        for (LocalDate date : old) {
            if (!wanted.contains(date)) {
                out.line("- " + date);
            }
        }
        dates.leftOut().forEach(event -> out.line("left out: " + event.uid() + ": " + event.reason()));
    }

    private String summary(LocalDate date) {
        return dates.events().stream()
                .filter(event ->
                        event.dates().contains(date) && !event.summary().isEmpty())
                .map(ICalendarEvent::summary)
                .findFirst()
                .map(summary -> "  " + summary)
                .orElse("");
    }

    private void differences(Output out, SortedSet<LocalDate> old, SortedSet<LocalDate> wanted) {
        List<String> added = texts(wanted, old);
        List<String> removed = texts(old, wanted);
        if (out.isJson()) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("added", added);
            answer.put("removed", removed);
            out.json(answer);
        } else {
            out.line(added.size() + " dates are added, " + removed.size() + " removed; nothing was written");
        }
    }

    private static List<String> texts(SortedSet<LocalDate> dates, SortedSet<LocalDate> without) {
        return dates.stream()
                .filter(date -> !without.contains(date))
                .map(LocalDate::toString)
                .toList();
    }
}
