package dev.almanac.web.read;

import dev.almanac.Scheduler;
import dev.almanac.model.JobQuery;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import dev.almanac.time.TimesOfDay;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The known calendars: those that are stored and those that code declares. Thread-safe. */
public final class KnownCalendars {
    private static final int MOST_JOBS = 200;
    private static final int NEAR = 50;
    private static final int FAR = 10_000;
    /** Of a preview of all its jobs together. */
    private static final long PATIENCE_NANOS = 1_000_000_000;

    private final StoreReader storeReader;
    private final CalendarReader reader;
    private final Map<String, ExclusionCalendar> declared;

    /**
     * A calendar that is known by name.
     *
     * @param stored absent if code declares it
     * @param calendar absent if it cannot be read here
     * @param problem why not
     */
    public record Known(
            String name,
            @Nullable StoredCalendar stored,
            @Nullable ExclusionCalendar calendar,
            @Nullable String problem) {}

    /**
     * A job whose next fire an edit would move.
     *
     * @param before absent = it has no fire
     * @param after absent = it would have none
     */
    public record Moved(
            StoredJob job,
            @Nullable Instant before,
            @Nullable Instant after) {}

    /**
     * The jobs that an edit would move.
     *
     * @param moved of the jobs that were examined
     * @param examined how many jobs were examined
     * @param unplanned how many of them have no fire before and after the edit, or cannot be planned here
     * @param later how many of them the forecast of {@link Forecaster#USUAL_WINDOW} names for other fires, or no longer names
     * @param compared of how many of them the forecasts were compared; the others would take too long
     * @param more whether more jobs may name the calendar
     */
    public record Moves(List<Moved> moved, int examined, int unplanned, int later, int compared, boolean more) {}

    /** @param declared those that code declares, by name */
    public KnownCalendars(StoreReader storeReader, CalendarReader reader, Map<String, ExclusionCalendar> declared) {
        this.storeReader = storeReader;
        this.reader = reader;
        this.declared = Map.copyOf(declared);
    }

    /**
     * A calendar of the service for the console. An exception or error of it becomes an IllegalArgumentException (rule X1),
     * as of a calendar that is not known. So it concerns the jobs that name the calendar, and no others.
     */
    public static ExclusionCalendar contained(String name, ExclusionCalendar calendar) {
        return new Contained(name, Objects.requireNonNull(calendar, "calendar"));
    }

    private record Contained(String name, ExclusionCalendar calendar) implements ExclusionCalendar {
        @Override
        public boolean isIncluded(Instant instant, ZoneId jobZone) {
            return ask(() -> calendar.isIncluded(instant, jobZone));
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
            return ask(() -> calendar.nextIncluded(from, jobZone));
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone, TimesOfDay times) {
            return ask(() -> calendar.nextIncluded(from, jobZone, times));
        }

        @Override
        public @Nullable ZoneId zone() {
            return ask(() -> Optional.ofNullable(calendar.zone())).orElse(null);
        }

        @Override
        public String description() {
            return ask(calendar::description);
        }

        private <T> T ask(Supplier<T> question) {
            try {
                return Objects.requireNonNull(question.get(), "it returned null");
            } catch (RuntimeException | Error thrown) {
                throw new IllegalArgumentException("calendar '" + name + "' has failed: " + why(thrown), thrown);
            }
        }
    }

    private static String why(Throwable thrown) {
        return thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    }

    /** All of them, in the order of their names; as on the nodes, a declared one hides a stored one of its name. */
    public List<Known> all() {
        Map<String, Known> known = new TreeMap<>();
        declared.forEach((name, calendar) -> known.put(name, new Known(name, null, calendar, null)));
        for (StoredCalendar stored : storeReader.calendars()) {
            known.putIfAbsent(stored.name(), read(stored));
        }
        return List.copyOf(known.values());
    }

    private Known read(StoredCalendar stored) {
        try {
            return new Known(stored.name(), stored, reader.read(stored.definition()), null);
        } catch (RuntimeException | Error unreadable) {
            // an Error, too: one calendar must not hide the others
            return new Known(stored.name(), stored, null, why(unreadable));
        }
    }

    /**
     * The calendar of a definition.
     *
     * @throws IllegalArgumentException with its problems
     */
    public ExclusionCalendar read(Map<String, Object> definition) {
        return reader.read(definition);
    }

    /** Jobs that name a calendar, as far as one look finds them. */
    public JobScan users(String name) {
        // without a state, for which pauses would count
        return storeReader.list(JobQuery.ofCalendar(name).limit(MOST_JOBS), storeReader.now(), List.of());
    }

    /** The jobs that name a calendar and would have another next fire if it were this one, as far as a second allows. */
    public Moves moves(String name, ExclusionCalendar edited) {
        JobScan users = users(name);
        long start = storeReader.nanos();
        List<Moved> moved = new ArrayList<>();
        int unplanned = 0;
        Map<String, ExclusionCalendar> before = readable();
        Map<String, ExclusionCalendar> after = new HashMap<>(before);
        after.put(name, edited);
        Instant now = storeReader.now();
        int examined = 0;
        for (StoredJob job : users.jobs()) {
            examined++;
            Instant present = next(job, before, now);
            Instant then = next(job, after, now);
            unplanned += present == null && then == null ? 1 : 0;
            if (!Objects.equals(present, then)) {
                moved.add(new Moved(job, present, then));
            }
            if (isOver(start)) {
                break;
            }
        }
        long left = Forecaster.Effort.OF_PAGE.fires();
        int later = 0;
        int compared = 0;
        for (StoredJob job : users.jobs().subList(0, examined)) {
            compared++;
            Forecaster one = forecaster(job, before, now, left);
            Forecaster other = forecaster(job, after, now, left);
            later += one.forecast(0).findings().equals(other.forecast(0).findings()) ? 0 : 1;
            left = one.left() + other.left() - left;
            if (left <= 0 || isOver(start)) {
                break;
            }
        }
        boolean more = examined < users.jobs().size() || users.next() != null;
        return new Moves(List.copyOf(moved), examined, unplanned, later, compared, more);
    }

    private boolean isOver(long start) {
        return storeReader.nanos() - start > PATIENCE_NANOS;
    }

    /** Which has looked at a job. */
    private static Forecaster forecaster(
            StoredJob job, Map<String, ExclusionCalendar> calendars, Instant now, long fires) {
        Forecaster.Window window = Forecaster.Window.ahead(now, Forecaster.USUAL_WINDOW);
        Forecaster forecaster = new Forecaster(window, calendars, List.of(), -1, new Forecaster.Effort(1, fires));
        forecaster.add(job);
        forecaster.look(() -> 0, 0);
        return forecaster;
    }

    /** Those that can be read here, by name. */
    public Map<String, ExclusionCalendar> readable() {
        Map<String, ExclusionCalendar> readable = new HashMap<>();
        for (Known known : all()) {
            if (known.calendar() != null) {
                readable.put(known.name(), known.calendar());
            }
        }
        return readable;
    }

    /** The next fire; most are among the first planned times, but a calendar may exclude thousands. */
    private static @Nullable Instant next(StoredJob job, Map<String, ExclusionCalendar> calendars, Instant now) {
        try {
            Instant near = next(job, calendars, now, NEAR);
            return near == null ? next(job, calendars, now, FAR) : near;
        } catch (IllegalArgumentException unknownCalendar) {
            return null;
        }
    }

    private static @Nullable Instant next(
            StoredJob job, Map<String, ExclusionCalendar> calendars, Instant now, int rows) {
        return Scheduler.previewFireTimes(job, calendars, now, now, rows).stream()
                .map(FirePreview::fireTime)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
