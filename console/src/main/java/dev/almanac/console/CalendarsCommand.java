package dev.almanac.console;

import com.typesafe.config.ConfigObject;
import dev.almanac.Scheduler;
import dev.almanac.calendars.BusinessDayConvention;
import dev.almanac.calendars.BusinessDays;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.calendars.DayCalendar;
import dev.almanac.calendars.InvalidCalendarException;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.model.Problem;
import dev.almanac.model.ReplanResult;
import dev.almanac.store.CalendarEdit;
import dev.almanac.store.StoredCalendar;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code almanac calendars}: the calendars that are stored in a database, and {@code check}, which needs none. */
@Command(name = "calendars", description = "Works with exclusion calendars.", addMethodSubcommands = false)
final class CalendarsCommand {
    static final TimeQuestion CHECK =
            new TimeQuestion("kind, parameters, zone and instant are expected", 4, CalendarsCommand::included);

    static final TimeQuestion BUSINESS_DAYS =
            new TimeQuestion("convention, calendar and date are expected", 3, CalendarsCommand::adjusted);

    @Spec
    private CommandSpec spec;

    @Command(
            name = "list",
            description = "Lists the stored calendars; those that services declare in code are not among them.")
    int list(@Mixin Session session) {
        Columns<StoredCalendar> columns = new Columns<StoredCalendar>()
                .key("NAME", StoredCalendar::name)
                .whole("KIND", calendar -> calendar.definition().get("kind"))
                .whole("VERSION", StoredCalendar::version)
                .moment("CHANGED", ZoneOffset.UTC, StoredCalendar::latestUpdate)
                .text("BY", calendar -> calendar.author().isEmpty() ? "-" : calendar.author())
                .text("DESCRIPTION", calendar -> calendar.definition().getOrDefault("description", ""));
        return session.use(scheduler -> session.out()
                .list(
                        "calendars",
                        scheduler.calendars().list(),
                        Answers::calendar,
                        "no calendars are stored",
                        columns));
    }

    @Command(name = "show", description = "Shows a stored calendar.")
    int show(
            @Mixin Session session, @Parameters(paramLabel = "NAME", description = "the calendar's name") String name) {
        return session.use(scheduler -> {
            StoredCalendar calendar = get(scheduler, name);
            session.out().answer(Answers.calendar(calendar), out -> {
                out.head(calendar.name());
                try {
                    CalendarDefinition definition = CalendarDefinition.of(calendar.definition());
                    out.value("kind", calendar.definition().get("kind"));
                    new TreeMap<>(definition.values()).forEach(out::value);
                } catch (InvalidCalendarException e) {
                    out.value("unreadable", e.getMessage());
                    calendar.definition().forEach(out::value);
                }
                out.value(
                        "version", calendar.version() + ", of " + Times.both(calendar.latestUpdate(), ZoneOffset.UTC));
                out.value("by", calendar.author().isEmpty() ? null : calendar.author());
            });
        });
    }

    @Command(
            name = "put",
            description = {
                "Stores a calendar, or its next version. The next fires of its jobs are planned again.",
                "It is given as KIND and PARAMETERS, as in calendars check, or by --file."
            })
    int put(
            @Mixin ChangeSession session,
            @Parameters(paramLabel = "NAME", description = "the name that jobs use") String name,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "KIND",
                            description = "Daily, Weekly, Monthly, Annual, Holiday, Range or Cron")
                    @Nullable
                    String kind,
            @Parameters(
                            arity = "0..1",
                            defaultValue = "",
                            paramLabel = "PARAMETERS",
                            description = "such as 'days=1,7;zone=UTC'")
                    String parameters,
            @Option(
                            names = "--file",
                            paramLabel = "FILE",
                            description =
                                    "HOCON or JSON: kind = Weekly, exclude-days = [SAT, SUN], timezone, description")
                    @Nullable
                    Path file,
            @Option(names = "--dry-run", description = "only say whether it would be stored") boolean dryRun) {
        InvalidInputException.when(
                (file == null) == (kind == null), "which calendar? Give either KIND and PARAMETERS, or --file FILE");
        CalendarDefinition definition = InvalidInputException.unless(
                "the calendar was refused, nothing was written: ",
                () -> file == null
                        ? complete(
                                TimeArguments.definition(String.valueOf(kind), parameters),
                                TimeArguments.fields(parameters))
                        : read(fields(JobsFile.parse(file).root())));
        return session.use(scheduler -> {
            Optional<StoredCalendar> before = find(scheduler, name);
            if (dryRun) {
                refuse(scheduler, name, definition);
                boolean same = before.map(StoredCalendar::definition)
                        .filter(definition.toMap()::equals)
                        .isPresent();
                session.answer(
                        new Fields().with("name", name).with("changed", !same).with("dryRun", true),
                        name
                                + (same
                                        ? " is stored already, nothing was changed"
                                        : " would be stored; nothing was written (--dry-run)"));
                return;
            }
            print(session.out(), before, put(scheduler, name, definition), new Fields());
        });
    }

    private static CalendarDefinition read(Map<String, Object> fields) {
        return complete(CalendarDefinition.of(fields), fields);
    }

    /** A list that was forgotten would exclude nothing; an empty one is meant. The reader requires the other fields. */
    private static CalendarDefinition complete(CalendarDefinition definition, Map<String, ?> given) {
        String list = definition.kind().fields().get(0);
        if (list.startsWith("exclude-") && !given.containsKey(list)) {
            throw new IllegalArgumentException(
                    "without " + list + " it excludes nothing; if that is meant, give an empty " + list);
        }
        return definition;
    }

    /** As they are written: a description may look like a number. */
    private static Map<String, Object> fields(ConfigObject definition) {
        Map<String, Object> fields = new LinkedHashMap<>();
        definition.forEach((name, value) ->
                fields.put(name, value instanceof ConfigObject part ? fields(part) : AlmanacConfig.written(value)));
        return fields;
    }

    @Command(name = "delete", description = "Deletes a stored calendar that no live job uses.")
    int delete(
            @Mixin ChangeSession session,
            @Parameters(paramLabel = "NAME", description = "the calendar's name") String name) {
        return session.use(scheduler -> {
            get(scheduler, name);
            try {
                scheduler.calendars().delete(name);
            } catch (IllegalStateException used) {
                throw new CommandFailedException(String.valueOf(used.getMessage()), used);
            }
            session.answer(new Fields().with("deleted", name), name + " was deleted");
        });
    }

    @Command(
            name = "check",
            description =
                    "Whether a calendar includes an instant, and the next instant that it includes. Needs no database.")
    int check(
            @Parameters(
                            arity = "0..1",
                            paramLabel = "KIND",
                            description = "such as Weekly, or Weekly+Daily; or TARGET2 or WEEKENDS, without parameters")
                    @Nullable
                    String kind,
            @Parameters(arity = "0..1", paramLabel = "PARAMETERS", description = "such as days=1,7") @Nullable
                    String parameters,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "INSTANT",
                            description =
                                    "such as 2026-03-10T05:00:00Z, 2026-03-10T05:00 or 2026-03-10 in the zone, or 15m"
                                            + " from now")
                    @Nullable
                    String instant,
            @Option(names = "--zone", defaultValue = "UTC", description = "the job's zone (default: ${DEFAULT-VALUE})")
                    String zone,
            @Option(names = "--json", description = "answer with one line of JSON") boolean json,
            @Option(names = "--batch", description = "read tab-separated lines: kind, parameters, zone, instant")
                    boolean batch) {
        if (batch) {
            return CHECK.batch(spec);
        }
        // a named calendar has no parameters, so the next argument is the instant
        boolean named = kind != null && instant == null && TimeArguments.named(kind) != null;
        String unknown = kind == null || instant != null ? null : TimeArguments.unknown(kind);
        String needed = "KIND, PARAMETERS and INSTANT are expected, or TARGET2 or WEEKENDS and INSTANT";
        return CHECK.ask(
                spec,
                unknown == null ? needed : unknown,
                json,
                kind,
                named ? "" : parameters,
                zone,
                named ? parameters : instant);
    }

    private static TimeQuestion.Answer included(String[] fields) {
        ExclusionCalendar calendar = TimeArguments.calendar(fields[0], fields[1]);
        ZoneId zone = TimeArguments.zone(fields[2]);
        Instant at = TimeArguments.instant("instant", fields[3], zone);
        boolean included = calendar.isIncluded(at, zone);
        Optional<Instant> following = calendar.nextIncluded(at, zone);
        String next = following.map(Instant::toString).orElse("none");
        return new TimeQuestion.Answer(
                included ? "included" : "excluded; next included: " + next,
                new Fields().with("included", included).with("nextIncluded", following.orElse(null)),
                included + "\t" + next);
    }

    private static TimeQuestion.Answer adjusted(String[] fields) {
        BusinessDayConvention convention = TimeArguments.word("convention", BusinessDayConvention.class, fields[0]);
        LocalDate from = TimeArguments.quoted("date", fields[2], Times::date);
        DayCalendar days = TimeArguments.named(fields[1]);
        if (days == null) {
            throw new InvalidFieldException("calendar", 1, "'" + fields[1] + "' is not known; TARGET2 or WEEKENDS");
        }
        String date = TimeArguments.field("calendar", () -> BusinessDays.adjust(from, convention, days))
                .toString();
        return new TimeQuestion.Answer(date, new Fields().with("date", date), date);
    }

    static Optional<StoredCalendar> find(Scheduler scheduler, String name) {
        return scheduler.calendars().list().stream()
                .filter(calendar -> calendar.name().equals(name))
                .findFirst();
    }

    private static StoredCalendar get(Scheduler scheduler, String name) {
        return find(scheduler, name).orElseThrow(() -> {
            List<String> names = scheduler.calendars().list().stream()
                    .map(StoredCalendar::name)
                    .toList();
            String stored = names.isEmpty() ? "; there are none" : "; stored are " + String.join(", ", names);
            String meant = Nearest.meant(name, names);
            return new NotFoundException("no calendar '" + name + "' is stored" + (meant.isEmpty() ? stored : meant));
        });
    }

    /** @throws InvalidInputException if it cannot be edited here; nothing was written */
    private static CalendarEdit put(Scheduler scheduler, String name, CalendarDefinition definition) {
        refuse(scheduler, name, definition);
        return scheduler.calendars().put(name, definition.toMap());
    }

    /** @throws InvalidInputException if it cannot be edited here */
    static void refuse(Scheduler scheduler, String name, CalendarDefinition definition) {
        List<Problem> problems = scheduler.calendars().check(name, definition.toMap());
        if (!problems.isEmpty()) {
            throw new InvalidInputException(
                    "calendar '" + name + "' " + problems.get(0).advice());
        }
    }

    /**
     * @param before the calendar that was stored until then
     * @param further what is known of the change, for programs
     */
    static void print(Output output, Optional<StoredCalendar> before, CalendarEdit edit, Fields further) {
        ReplanResult jobs = edit.jobs();
        boolean changed =
                before.filter(old -> old.version() == edit.calendar().version()).isEmpty();
        Fields planned = new Fields()
                .with("blocked", jobs.blocked())
                .with("complete", jobs.complete())
                .with("failed", jobs.failed())
                .with("failure", jobs.failure())
                .with("looked", jobs.looked())
                .with("moved", jobs.moved());
        Fields fields = Answers.calendar(edit.calendar())
                .with("changed", changed)
                .with("jobs", planned)
                .and(further);
        output.answer(fields, out -> {
            Answers.edited(edit.calendar().name(), edit, changed).forEach(out::line);
            if (jobs.blocked() > 0) {
                out.line(jobs.blocked() + " jobs have no fire left and are blocked: almanac jobs list shows them");
            }
        });
    }
}
