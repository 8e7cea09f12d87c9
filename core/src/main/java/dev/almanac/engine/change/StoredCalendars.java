package dev.almanac.engine.change;

import dev.almanac.engine.claim.ControlView;
import dev.almanac.engine.node.CalendarBook;
import dev.almanac.engine.node.Node;
import dev.almanac.model.JobQuery;
import dev.almanac.model.Problem;
import dev.almanac.model.ReplanResult;
import dev.almanac.store.CalendarEdit;
import dev.almanac.store.JobList;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stored calendars: reads, edits and removes them, and sees to the jobs that use them (rule C5). Thread-safe. */
public final class StoredCalendars {
    private static final int MOST_TRIES = 20;
    private static final int MOST_JOBS_TOLD = 10;

    private final Node node;
    private final CalendarBook calendars;
    private final CalendarReader reader;
    private final Replanner replanner;
    private final Runnable changed;
    private volatile long learnedNanos;

    /** @param changed is told that this node should read pauses and calendars anew */
    public StoredCalendars(Node node, CalendarReader reader, Replanner replanner, Runnable changed) {
        this.node = node;
        this.calendars = node.calendars();
        this.reader = reader;
        this.replanner = replanner;
        this.changed = changed;
        this.learnedNanos = node.clock().nanos() - ControlView.FRESH.toNanos() - 1;
    }

    /** The stored calendars, by name. */
    public List<StoredCalendar> all() {
        return node.store().cluster().calendars();
    }

    /**
     * What stands against storing a calendar here: its name, its definition, and jobs that use it and that this
     * scheduler cannot plan, since they also name a calendar that is declared in the code of another service. Writes
     * nothing.
     *
     * @return the problems, of jobs the first {@value #MOST_JOBS_TOLD}; empty if there are none
     */
    public List<Problem> check(String name, Map<String, Object> definition) {
        List<Problem> problems = new ArrayList<>();
        try {
            readable(name, definition);
        } catch (IllegalArgumentException e) {
            problems.add(new Problem("calendar", name, "C5", String.valueOf(e.getMessage())));
        }
        calendars.update(all());
        JobQuery query = JobQuery.ofCalendar(name);
        JobList page;
        do {
            page = node.store().list(query);
            page.jobs().forEach(job -> plannable(name, job, problems));
            query = query.after(String.valueOf(page.lastKey()));
        } while (page.lastKey() != null && problems.size() < MOST_JOBS_TOLD);
        return List.copyOf(problems.subList(0, Math.min(problems.size(), MOST_JOBS_TOLD)));
    }

    private void plannable(String name, StoredJob job, List<Problem> problems) {
        job.specification().calendars().stream()
                .filter(other -> !other.equals(name) && calendars.find(other).isEmpty())
                .map(other -> new Problem(
                        "calendar",
                        name,
                        "C5",
                        "cannot be edited here: job '" + job.key() + "' names it and '" + other
                                + "', which a service declares and which is not stored; let that service edit '" + name
                                + "', or store '" + other + "', too"))
                .forEach(problems::add);
    }

    private void readable(String name, Map<String, Object> definition) {
        if (name.isBlank() || calendars.isDeclared(name)) {
            throw new IllegalArgumentException(
                    name.isBlank()
                            ? "the name of a calendar is empty"
                            : "calendar '" + name + "' is declared in code, which hides a stored one; edit it there");
        }
        reader.read(definition);
    }

    /**
     * Stores a calendar, and plans the jobs anew that use it.
     *
     * @throws IllegalArgumentException with every problem of the definition, or if code declares the name
     */
    public CalendarEdit put(String name, Map<String, Object> definition) {
        readable(name, definition);
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<StoredCalendar> stored = find(name);
            if (stored.isPresent() && stored.get().definition().equals(definition)) {
                return new CalendarEdit(stored.get(), new ReplanResult(0, 0, 0));
            }
            long version = stored.map(StoredCalendar::version).orElse(0L) + 1;
            StoredCalendar next =
                    new StoredCalendar(name, version, definition, node.clock().now());
            if (node.store().cluster().putCalendar(next)) {
                return new CalendarEdit(next, edit(name));
            }
        }
        throw new IllegalStateException("calendar '" + name + "' was edited by others " + MOST_TRIES
                + " times while this edit was tried; nothing was written");
    }

    private ReplanResult edit(String name) {
        calendars.update(all());
        changed.run();
        return replanner.replan(JobQuery.ofCalendar(name), job -> true, edited(name));
    }

    /** What the rows of jobs say that were planned anew for it. */
    static String edited(String calendar) {
        return "calendar '" + calendar + "' was edited";
    }

    /**
     * Removes a calendar that no live job uses; false if there is none of the name.
     *
     * @throws IllegalStateException if a job uses it
     */
    public boolean delete(String name) {
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<StoredCalendar> stored = find(name);
            if (stored.isEmpty()) {
                return false;
            }
            List<StoredJob> users = node.store().list(JobQuery.ofCalendar(name)).jobs();
            if (!users.isEmpty()) {
                throw new IllegalStateException("calendar '" + name + "' is used by job '"
                        + users.get(0).key() + "'" + (users.size() > 1 ? " and others" : "")
                        + "; let them name another one first");
            }
            if (node.store().cluster().deleteCalendar(name, stored.get().version())) {
                calendars.update(all());
                changed.run();
                return true;
            }
        }
        throw new IllegalStateException("calendar '" + name + "' was edited by others while it was to be deleted");
    }

    /** Reads the stored calendars, if one of these names is none that code declares, unless that was done just now. */
    public void learn(Collection<String> names) {
        boolean declared = names.stream().allMatch(calendars::isDeclared);
        boolean old = node.clock().nanos() - learnedNanos > ControlView.FRESH.toNanos();
        if (!declared
                && (old || names.stream().anyMatch(name -> calendars.find(name).isEmpty()))) {
            learnedNanos = node.clock().nanos();
            calendars.update(all());
        }
    }

    private Optional<StoredCalendar> find(String name) {
        return all().stream().filter(calendar -> calendar.name().equals(name)).findFirst();
    }
}
