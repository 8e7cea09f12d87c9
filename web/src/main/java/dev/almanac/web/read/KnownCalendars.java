package dev.almanac.web.read;

import dev.almanac.Scheduler;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.InMemoryJobStore;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The known calendars: those that are stored and those that code declares. Thread-safe. */
public final class KnownCalendars {
    private static final int MOST_JOBS = 200;
    private static final int FIRES = 50;

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

    /** @param declared those that code declares, by name */
    public KnownCalendars(StoreReader storeReader, CalendarReader reader, Map<String, ExclusionCalendar> declared) {
        this.storeReader = storeReader;
        this.reader = reader;
        this.declared = Map.copyOf(declared);
    }

    /** All of them, in the order of their names. */
    public List<Known> all() {
        Map<String, Known> known = new TreeMap<>();
        declared.forEach((name, calendar) -> known.put(name, new Known(name, null, calendar, null)));
        for (StoredCalendar stored : storeReader.calendars()) {
            known.put(stored.name(), read(stored));
        }
        return List.copyOf(known.values());
    }

    private Known read(StoredCalendar stored) {
        try {
            return new Known(stored.name(), stored, reader.read(stored.definition()), null);
        } catch (RuntimeException unreadable) {
            return new Known(stored.name(), stored, null, String.valueOf(unreadable.getMessage()));
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

    /** Whether recurring jobs use it that do not name it. */
    public boolean isDefault(String name) {
        return storeReader.defaultCalendar().filter(name::equals).isPresent();
    }

    /** Jobs that name a calendar, as far as one look finds them. */
    public JobScan users(String name) {
        return storeReader.list(JobQuery.ofCalendar(name).limit(MOST_JOBS));
    }

    /** Which of these jobs would fire next at another moment if a calendar were this one. */
    public List<Moved> moved(List<StoredJob> jobs, String name, ExclusionCalendar edited) {
        try (Scheduler before = previewer(null, null);
                Scheduler after = previewer(name, edited)) {
            List<Moved> moved = new ArrayList<>();
            for (StoredJob job : jobs) {
                Instant now = next(before, job.specification());
                Instant then = next(after, job.specification());
                if (!Objects.equals(now, then)) {
                    moved.add(new Moved(job, now, then));
                }
            }
            return moved;
        }
    }

    /** Plans as nodes do, and stores nothing: its store is in memory. */
    private Scheduler previewer(@Nullable String name, @Nullable ExclusionCalendar edited) {
        var builder = Scheduler.builder().store(new InMemoryJobStore(TimeSource.system()));
        for (Known known : all()) {
            if (known.calendar() != null && !known.name().equals(name)) {
                builder.calendar(known.name(), known.calendar());
            }
        }
        if (name != null && edited != null) {
            builder.calendar(name, edited);
        }
        return builder.build();
    }

    private static @Nullable Instant next(Scheduler scheduler, JobSpecification specification) {
        try {
            Optional<Instant> fire = scheduler.previewFireTimes(specification, FIRES).stream()
                    .map(FirePreview::fireTime)
                    .filter(Objects::nonNull)
                    .findFirst();
            return fire.orElse(null);
        } catch (InvalidJobException | IllegalArgumentException noneLeft) {
            return null;
        }
    }
}
