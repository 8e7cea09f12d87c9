package dev.almanac.engine.request;

import dev.almanac.engine.port.CalendarBook;
import dev.almanac.engine.port.JobPages;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.PlainValues;
import dev.almanac.engine.upkeep.ReplanDuty;
import dev.almanac.engine.upkeep.Replanner;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Actor;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Problem;
import dev.almanac.model.ReplanResult;
import dev.almanac.store.CalendarEdit;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import dev.almanac.time.CalendarReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads, edits and removes stored calendars, and plans the jobs again that use them (rule C5). Thread-safe. */
public final class StoredCalendars {
    private static final int MOST_TRIES = 20;
    private static final int MOST_JOBS_NAMED = 10;
    private static final int LONGEST_NAME = 256;
    private static final long LARGEST_DEFINITION = 1 << 20;
    /** Each node has them all in memory. */
    private static final long LARGEST_TOGETHER = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(StoredCalendars.class);

    /** How long an edit plans jobs before it answers; what is left is planned by live nodes. */
    private static final Duration MOST_PLANNING = Duration.ofSeconds(10);

    private final Node node;
    private final CalendarBook calendars;
    private final CalendarReader reader;
    private final Replanner replanner;
    private final Runnable changed;
    private final Actor actor;

    /**
     * @param changed makes this node read pauses and calendars again
     * @param actor for whom calendars are changed
     */
    public StoredCalendars(Node node, CalendarReader reader, Replanner replanner, Runnable changed, Actor actor) {
        this.node = node;
        this.calendars = node.calendars();
        this.reader = reader;
        this.replanner = replanner;
        this.changed = changed;
        this.actor = actor;
    }

    /** The same, for queries. */
    public StoredCalendars as(Actor by) {
        return new StoredCalendars(node, reader, replanner, changed, by);
    }

    /** The stored calendars, by name. */
    public List<StoredCalendar> all() {
        return read().stream().filter(calendar -> !calendar.deleted()).toList();
    }

    private List<StoredCalendar> read() {
        return calendars.readAll(node.store().cluster(), node.clock());
    }

    /**
     * Why a calendar cannot be stored here: its name, its definition, the size of all together, and jobs that use it and
     * that this scheduler cannot plan, since they also name a calendar that another service declares in code. Writes nothing.
     *
     * @return the problems, of jobs the first {@value #MOST_JOBS_NAMED}; empty if there are none
     */
    public List<Problem> check(String name, Map<String, Object> definition) {
        List<Problem> problems = new ArrayList<>();
        try {
            Optional<StoredCalendar> stored = find(name);
            readable(name, definition);
            refuseBeyondMemory(name, definition, stored);
        } catch (IllegalArgumentException e) {
            problems.add(new Problem("calendar", name, "C5", String.valueOf(e.getMessage())));
        }
        Stream<Problem> ofJobs =
                JobPages.jobs(node.store(), JobQuery.ofCalendar(name)).flatMap(job -> ofJob(name, job));
        return Stream.concat(problems.stream(), ofJobs).limit(MOST_JOBS_NAMED).toList();
    }

    private Stream<Problem> ofJob(String name, StoredJob job) {
        FirePlanner planner = node.planner();
        return planner.unknownCalendars(job.specification()).stream()
                .filter(other -> !other.equals(name) && planner.whyUnknown(other) == FirePlanner.WhyUnknown.NOT_STORED)
                .map(other -> new Problem(
                        "calendar",
                        name,
                        "C5",
                        "cannot be edited here: job '" + job.key() + "' names it and '" + other
                                + "', which a service declares and which is not stored; let that service edit '" + name
                                + "', or store '" + other + "', too"));
    }

    private void readable(String name, Map<String, Object> definition) {
        if (name.isBlank() || calendars.isDeclared(name)) {
            throw new IllegalArgumentException(
                    name.isBlank()
                            ? "the name of a calendar is empty"
                            : "calendar '" + name + "' is declared in code, which hides a stored one; edit it there");
        }
        long bytes = PlainValues.size(definition);
        if (name.length() > LONGEST_NAME || bytes > LARGEST_DEFINITION) {
            throw new IllegalArgumentException("calendar '" + Printable.value(name) + "' was not stored: its name has "
                    + name.length() + " characters, its definition " + bytes + " bytes; at most " + LONGEST_NAME
                    + " and "
                    + LARGEST_DEFINITION + " are kept");
        }
        reader.read(definition);
    }

    /** Refuses an edit that makes the stored calendars larger, if they would be too large. */
    private void refuseBeyondMemory(String name, Map<String, Object> definition, Optional<StoredCalendar> replaced) {
        long size = PlainValues.size(definition);
        long before = replaced.filter(calendar -> !calendar.deleted())
                .map(calendar -> PlainValues.size(calendar.definition()))
                .orElse(0L);
        if (size <= before) {
            return;
        }
        long others = all().stream()
                .filter(calendar -> !calendar.name().equals(name))
                .mapToLong(calendar -> PlainValues.size(calendar.definition()))
                .sum();
        if (others + size > LARGEST_TOGETHER) {
            throw new IllegalArgumentException(
                    "calendar '" + name + "' was not stored: with it the calendars would have more than "
                            + LARGEST_TOGETHER + " bytes together; delete some");
        }
    }

    /**
     * Stores a calendar, and plans the jobs again that use it.
     *
     * @throws IllegalArgumentException with every problem of the definition, or if code declares the name
     */
    public CalendarEdit put(String name, Map<String, Object> definition) {
        return put(name, definition, stored -> {});
    }

    /**
     * As {@link #put(String, Map)}, in the place of one version.
     *
     * @param version the one that is replaced; 0 = no calendar of the name is stored
     * @throws IllegalArgumentException also if another version is stored, with other contents, or the calendar was removed
     */
    public CalendarEdit replace(String name, long version, Map<String, Object> definition) {
        return put(name, definition, stored -> refuseOther(name, version, stored));
    }

    private static void refuseOther(String name, long version, Optional<StoredCalendar> found) {
        StoredCalendar stored = found.filter(calendar -> !calendar.deleted()).orElse(null);
        if ((stored == null ? 0 : stored.version()) != version) {
            throw new IllegalArgumentException("calendar '" + Printable.value(name)
                    + (stored == null
                            ? "' was removed since this edit began"
                            : "' was changed since this edit began: it is version " + stored.version() + " now, by "
                                    + stored.author())
                    + "; nothing was stored");
        }
    }

    /** @param guard throws if what is stored may not be replaced */
    private CalendarEdit put(String name, Map<String, Object> definition, Consumer<Optional<StoredCalendar>> guard) {
        readable(name, definition);
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<StoredCalendar> stored = find(name);
            boolean there = stored.isPresent() && !stored.get().deleted();
            if (there && stored.get().definition().equals(definition)) {
                // an earlier call may have stored it and died before it was counted; this one is refused, but counted
                node.store().cluster().putCalendar(stored.get());
                // repeating an edit completes its planning, if that was interrupted; one that is older was planned by
                // the pass
                boolean recent = node.clock()
                        .now()
                        .minus(ReplanDuty.RECENT)
                        .isBefore(stored.get().latestUpdate());
                return new CalendarEdit(stored.get(), recent ? edit(stored.get()) : ReplanResult.NONE);
            }
            guard.accept(stored);
            refuseBeyondMemory(name, definition, stored);
            StoredCalendar next = next(name, definition, stored);
            if (node.store().cluster().putCalendar(next)) {
                report(name, "stored as version " + next.version());
                return new CalendarEdit(next, edit(next));
            }
        }
        throw new IllegalStateException("calendar '" + name + "' was edited by others " + MOST_TRIES
                + " times while this edit was tried; nothing was written");
    }

    private StoredCalendar next(String name, Map<String, Object> definition, Optional<StoredCalendar> stored) {
        return new StoredCalendar(
                name, following(name, stored), definition, node.clock().now(), actor.toString(), false);
    }

    /**
     * The next version of a calendar. If a person has removed its document, or its version, that is above each that a node may
     * know, since nodes go on with those until a higher one is stored.
     */
    private long following(String name, Optional<StoredCalendar> stored) {
        long last = stored.map(StoredCalendar::version).orElse(0L);
        return (last > 0 ? last : removed(name)) + 1;
    }

    private long removed(String name) {
        long replaced = node.store().cluster().calendarVersions(List.of(name)).stream()
                .mapToLong(StoredCalendar::version)
                .max()
                .orElse(-1);
        long planned = JobPages.jobs(node.store(), JobQuery.ofCalendar(name))
                .mapToLong(job -> job.plannedBy().getOrDefault(name, 0L))
                .max()
                .orElse(0);
        // the one that replaced the last that is kept is not kept itself
        return Math.max(Math.max(replaced + 1, planned), calendars.version(name));
    }

    private void report(String name, String what) {
        node.events().emit(new SchedulerEvent.CalendarChanged(name, what, actor));
    }

    private ReplanResult edit(StoredCalendar calendar) {
        readNow();
        String name = calendar.name();
        return replanner.replan(
                () -> JobPages.jobs(node.store(), JobQuery.ofCalendar(name)),
                job -> uses(job, name),
                Replanner.edited(calendar),
                MOST_PLANNING,
                e -> node.events().failures().add(ReplanDuty.PLANNING, e));
    }

    static boolean uses(StoredJob job, String calendar) {
        return job.specification().calendars().contains(calendar);
    }

    /** Reads what was written just now, before this node plans or claims by it. */
    private void readNow() {
        read();
        changed.run();
    }

    /**
     * Removes a calendar that no live job uses; false if there is none of the name.
     *
     * @throws IllegalStateException if a job uses it
     */
    public boolean delete(String name) {
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<StoredCalendar> stored = find(name);
            if (stored.isEmpty() || stored.get().deleted()) {
                return false;
            }
            refuseUsed(name);
            StoredCalendar gone =
                    stored.get().tombstone(following(name, stored), node.clock().now(), actor.toString());
            if (node.store().cluster().putCalendar(gone)) {
                restoreIfUsed(stored.get(), gone.version() + 1);
                report(name, "deleted");
                readNow();
                return true;
            }
        }
        throw new IllegalStateException("calendar '" + name + "' was edited by others while it was to be deleted");
    }

    private void refuseUsed(String name) {
        List<StoredJob> users = node.store().list(JobQuery.ofCalendar(name)).jobs();
        if (!users.isEmpty()) {
            throw new IllegalStateException("calendar '" + name + "' is used by job '"
                    + users.get(0).key() + "'" + (users.size() > 1 ? " and others" : "")
                    + "; remove it from its jobs first");
        }
    }

    /**
     * Restores the calendar if a job was stored at the same time. A job's calendars are read after the job is stored,
     * and jobs are read here after the calendar is removed, so that one of the two sees the other (rule C5).
     */
    private void restoreIfUsed(StoredCalendar deleted, long version) {
        try {
            refuseUsed(deleted.name());
        } catch (IllegalStateException used) {
            StoredCalendar again = new StoredCalendar(
                    deleted.name(), version, deleted.definition(), deleted.latestUpdate(), deleted.author(), false);
            node.store().cluster().putCalendar(again);
            readNow();
            throw used;
        }
    }

    /** Reads what is stored of the calendars of these jobs, unless that was done just now. */
    public void learn(Collection<JobSpecification> jobs) {
        calendars.freshen(jobs, node.store().cluster(), node.clock());
    }

    private Optional<StoredCalendar> find(String name) {
        return read().stream().filter(calendar -> calendar.name().equals(name)).findFirst();
    }
}
