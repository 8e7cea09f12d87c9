package dev.almanac.engine.change;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.PeriodicStep;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.model.JobQuery;
import dev.almanac.runtime.Lane;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ZoneRulesVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans jobs again after changes of zone rules (rule T6) and edits of calendars (rule C5). All jobs are read only if no
 * node has done so with rules as new as this node's, or while nodes with older rules are live; a start costs the same
 * with any number of jobs otherwise (rule R11).
 */
public final class ReplanDuty {
    private static final Logger LOG = LoggerFactory.getLogger(ReplanDuty.class);

    /**
     * Longer than the age that a reading of calendars may have when the end of a run is planned, and the time of a write
     * that is not late. It is counted from when this node first sees an edit: the time in the edit is from before its
     * write was sent, which may be long before it arrived.
     */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /**
     * Of the heartbeat's interval, between two tries of a planning that fails: with the default less than 3 minutes, so
     * that {@code health()} reports it all the time.
     */
    private static final int MOST_DOUBLINGS = 5;

    /** How often all calendars are read though no edit was counted: an editor may have died before it was. */
    private static final Duration READ_AGAIN = Duration.ofMinutes(1);

    /** No time limit, since no user waits. */
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private final Node node;
    private final Replanner replanner;
    private final Supplier<List<NodeReport>> live;
    private final Reachability reachability;
    private final Lane lane;
    private final PeriodicStep repetition;
    private final PeriodicStep watch;
    private volatile long seenEdits = -1;
    private volatile long readNanos;
    /** The calendars whose jobs were to be planned when they were last read, with their versions. */
    private volatile Map<String, Long> owed = Map.of();
    /** The newest edit of each calendar that this node was to plan by; of the lane. */
    private final Map<String, Seen> seen = new HashMap<>();
    /** The jobs whose plan was written late and that are still to be planned again, by their ids; of the lane. */
    private final Set<String> late = new LinkedHashSet<>();
    /** Plannings in a row that something other than the store has kept from their end, and when to try again. */
    private volatile int failures;

    private volatile long retryNanos;

    /** A check of the zone rules has failed, and is done again with the next try. */
    private volatile boolean zoneRulesOwed;

    /** @param nanos when this node first saw it */
    private record Seen(long version, long nanos) {}

    public ReplanDuty(
            Node node, Replanner replanner, Supplier<List<NodeReport>> live, Reachability reachability, Lane lane) {
        this.node = node;
        this.replanner = replanner;
        this.live = live;
        this.reachability = reachability;
        this.lane = lane;
        this.repetition = new PeriodicStep(lane, node.settings().replanInterval(), () -> quietly(this::checkZoneRules));
        this.watch = new PeriodicStep(lane, node.settings().heartbeatInterval(), this::watchCalendars);
    }

    /** Checks regularly from now on. */
    public void start() {
        repetition.start();
        watch.start();
    }

    public void stop() {
        repetition.stop();
        watch.stop();
    }

    /** Stored calendars were edited by any node. */
    public void calendarsEdited() {
        lane.run(() -> quietly(this::planOwed));
    }

    /** A plan was written late; who edited its calendars meanwhile may have found the job leased, and left it out. */
    public void plannedLate(StoredJob job) {
        lane.run(() -> quietly(() -> {
            try {
                planLate(job);
            } catch (StoreException e) {
                lane.after(reachability.failed("planning a job again", e), () -> plannedLate(job));
            }
        }));
    }

    /** A job of which a calendar fails is tried again with what is owed. */
    private void planLate(StoredJob job) {
        late.add(job.id());
        replanner.replanLate(job);
        late.remove(job.id());
    }

    /** As it is by then: the job may have ended. True, since it is never too early. */
    private boolean planLate(String id) {
        Optional<StoredJob> job = replanner.live(id);
        late.remove(id);
        job.ifPresent(this::planLate);
        return true;
    }

    /** Lets an idle node see edits, too, since they may bring fires forward. */
    private void watchCalendars() {
        quietly(() -> {
            long edits = node.store().cluster().control().calendarEdits();
            boolean retry = failures > 0 && node.clock().nanos() - retryNanos >= 0;
            if (edits != seenEdits || retry || isUncounted()) {
                seenEdits = edits;
                planOwed();
            }
        });
    }

    private boolean isUncounted() {
        return node.clock().nanos() - readNanos >= READ_AGAIN.toNanos()
                && !owed(read()).equals(owed);
    }

    private List<StoredCalendar> read() {
        List<StoredCalendar> read = node.calendars().readAll(node.store().cluster(), node.clock());
        readNanos = node.clock().nanos();
        return read;
    }

    private List<StoredCalendar> noted(List<StoredCalendar> read) {
        owed = owed(read);
        return read;
    }

    private static Map<String, Long> owed(List<StoredCalendar> calendars) {
        return calendars.stream()
                .filter(StoredCalendar::isPlanningOwed)
                .collect(Collectors.toMap(StoredCalendar::name, StoredCalendar::version));
    }

    /**
     * Plans the jobs of calendars whose last edit was not followed by a complete planning (rule C5). A run that ended
     * just after the edit may have been planned by a reading from before it: so a calendar counts as done only if all
     * of its jobs were read a second after the edit was seen here.
     */
    private void planOwed() {
        ClusterStore cluster = node.store().cluster();
        List<BooleanSupplier> due = new ArrayList<>();
        for (StoredCalendar calendar : noted(read())) {
            if (calendar.isPlanningOwed() && node.calendars().knows(calendar.name())) {
                due.add(() -> isPlanned(
                        isEarly(calendar.name(), calendar.version()),
                        () -> plan(calendar),
                        () -> cluster.calendarPlanned(calendar.name(), calendar.version())));
            }
        }
        if (zoneRulesOwed) {
            due.add(this::comparedZoneRules);
        }
        late.forEach(id -> due.add(() -> planLate(id)));
        planEach(due);
    }

    /** @param due each false if it was too early to count */
    private void planEach(List<BooleanSupplier> due) {
        boolean again = false;
        boolean failed = false;
        for (BooleanSupplier planning : due) {
            try {
                again |= !planning.getAsBoolean();
            } catch (StoreException e) {
                throw e;
            } catch (RuntimeException | Error e) {
                // of one job's calendars: the jobs of the others are planned all the same
                failed = true;
                failed(e);
            }
        }
        if (!failed) {
            failures = 0;
        }
        if (again) {
            lane.after(GRACE, () -> quietly(this::planOwed));
        }
    }

    /** The next edit is planned at once; what has failed is tried again after a growing pause (rule X2). */
    private synchronized void failed(Throwable e) {
        node.events().contained().add("planning jobs again", e);
        Duration pause = node.settings().heartbeatInterval().multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
        failures++;
        retryNanos = node.clock().nanos() + pause.toNanos();
    }

    /**
     * Plans jobs again, and notes it.
     *
     * @param early whether a run may still end that was planned before the edit
     * @param plan plans them; false if some were left to other nodes
     * @return false if it was too early to count
     */
    private static boolean isPlanned(boolean early, BooleanSupplier plan, Runnable note) {
        if (plan.getAsBoolean() && !early) {
            note.run();
        }
        return !early;
    }

    private boolean isEarly(String calendar, long version) {
        Seen now = new Seen(version, node.clock().nanos());
        Seen first = seen.merge(calendar, now, (known, next) -> known.version() == version ? known : next);
        return now.nanos() - first.nanos() < GRACE.toNanos();
    }

    private boolean plan(StoredCalendar calendar) {
        return plan(
                JobQuery.ofCalendar(calendar.name()),
                job -> StoredCalendars.uses(job, calendar.name()),
                StoredCalendars.edited(calendar));
    }

    /**
     * Plans jobs again; false if some could not be planned here, since this node does not have all their calendars.
     */
    private boolean plan(JobQuery query, Predicate<StoredJob> concerned, String why) {
        AtomicBoolean all = new AtomicBoolean(true);
        replanner.replan(
                query,
                job -> {
                    boolean known = !concerned.test(job)
                            || node.planner()
                                    .unknownCalendars(job.specification())
                                    .isEmpty();
                    all.compareAndSet(true, known);
                    return known && concerned.test(job);
                },
                why,
                UNLIMITED);
        return all.get();
    }

    private void quietly(Runnable work) {
        try {
            work.run();
        } catch (StoreException e) {
            reachability.failed("planning jobs again", e);
            // the next reading of the calendars finds the plannings that are missing
            seenEdits = -1;
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /**
     * Plans jobs again that were planned with other zone rules, if there may be any. Throws only what the store throws:
     * if a calendar fails, its jobs are tried again later, and the node claims meanwhile.
     */
    public void checkZoneRules() {
        try {
            comparedZoneRules();
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            zoneRulesOwed = true;
            failed(e);
        }
    }

    /** True, since it is never too early. */
    private boolean comparedZoneRules() {
        String own = ZoneRulesVersion.all();
        ClusterControl control = node.store().cluster().control();
        boolean newer = control.zoneRules() == null || own.compareTo(control.zoneRules()) > 0;
        boolean olderNodes =
                live.get().stream().anyMatch(other -> other.zoneRules().compareTo(own) < 0);
        if (newer || olderNodes) {
            planByZoneRules(own);
        }
        if (newer) {
            node.store().cluster().checkedZoneRules(own);
        }
        zoneRulesOwed = false;
        return true;
    }

    private void planByZoneRules(String own) {
        var result = replanner.replan(
                JobQuery.all(),
                job -> FirePlanner.hasOldRules(job.specification(), job.plan()),
                "the rules of its zone have changed",
                UNLIMITED);
        if (result.moved() > 0) {
            LOG.info("zone rules {}: of {} jobs, {} have another next fire", own, result.looked(), result.moved());
        }
    }
}
