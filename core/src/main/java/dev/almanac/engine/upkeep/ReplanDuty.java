package dev.almanac.engine.upkeep;

import dev.almanac.engine.port.JobPages;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.PeriodicStep;
import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.model.JobQuery;
import dev.almanac.model.ReplanResult;
import dev.almanac.runtime.Lane;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ZoneRulesVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans jobs again after changes of zone rules (rule T6) and edits of calendars (rule C5). The store keeps the oldest rules
 * of the nodes that were live at the last check: plans are by these, or by newer ones. A node with newer rules looks for
 * jobs that others have planned, and so does one that sees a live node with older rules; a start costs the same with any
 * number of jobs otherwise (rule R11).
 */
public final class ReplanDuty {
    private static final Logger LOG = LoggerFactory.getLogger(ReplanDuty.class);

    /**
     * The longest pause between two tries of a planning that fails, in intervals of the heartbeat: with the default less than
     * 3 minutes, so that {@code health()} reports it all the time.
     */
    private static final int LONGEST_PAUSE = 32;

    /** How often all calendars are read though no edit was counted: an editor may have died before it was. */
    private static final Duration READ_AGAIN = Duration.ofMinutes(1);

    /** Who has seen a younger edit may have died before it has planned its jobs. */
    public static final Duration RECENT = Duration.ofMinutes(10);

    /** What fails where a job cannot be planned again, as {@code health()} names it. */
    public static final String PLANNING = "planning jobs again";

    /** No time limit, since no user waits. */
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private final Node node;
    private final Replanner replanner;
    private final Supplier<ClusterControl> control;
    private final Supplier<List<NodeReport>> live;
    private final Reachability reachability;
    private final Lane lane;
    private final PeriodicStep repetition;
    private final PeriodicStep watch;
    private volatile long seenEdits = -1;
    private volatile long readNanos;
    /**
     * The version of each calendar by which this node has planned its jobs again; or which it found at its start and which
     * was not {@link #RECENT}, since the pass plans what was left by then.
     */
    private final Map<String, Long> asked = new ConcurrentHashMap<>();

    /** A page of the pass. */
    private final PendingStep page;

    /** The calendars as they were when edits were last looked for, with their versions. */
    private volatile Map<String, Long> known = Map.of();

    /** Plannings in a row that something other than the store has kept from their end, and when to try again. */
    private volatile int failures;

    private volatile long retryNanos;

    /** A check of the zone rules has failed, and is done again with the next try. */
    private volatile boolean zoneRulesOwed;

    /**
     * @param control reads pauses and edits, and keeps what it has read for the claims and for {@code health()}
     * @param live the nodes that are live
     * @param lane where it plans
     */
    public ReplanDuty(
            Node node,
            Replanner replanner,
            Supplier<ClusterControl> control,
            Supplier<List<NodeReport>> live,
            Reachability reachability,
            Lane lane) {
        this.node = node;
        this.replanner = replanner;
        this.control = control;
        this.live = live;
        this.reachability = reachability;
        this.lane = lane;
        this.page = new PendingStep(lane);
        this.repetition = new PeriodicStep(lane, node.settings().replanInterval(), () -> quietly(this::checkZoneRules));
        this.watch = new PeriodicStep(lane, node.settings().heartbeatInterval(), this::watchControl);
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

    /**
     * A plan was acknowledged that is older by then than its calendars: who has seen the edit found the job leased. It is
     * made again.
     */
    public void renew(StoredJob job) {
        lane.run(() -> quietly(() -> {
            try {
                renewNow(job);
            } catch (StoreException e) {
                lane.after(reachability.failed("planning a job again", e), () -> renew(job));
            }
        }));
    }

    /**
     * The pass has found jobs whose plans are older than their calendars, such as those whose writer did not live to see the
     * edit. One page at a time waits here; what is left out comes with the next pass.
     */
    public void renewPage(List<String> jobs) {
        page.run(() -> quietly(() -> JobPages.load(node.store(), jobs)
                .filter(node.planner()::isOlder)
                .forEach(this::renewContained)));
    }

    /** A calendar that fails for one job keeps no other from its plan. */
    private void renewContained(StoredJob job) {
        try {
            renewNow(job);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /** What a calendar keeps from its plan is tried again with all jobs of its calendars. */
    private void renewNow(StoredJob job) {
        try {
            replanner.renew(job);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            asked.keySet().removeAll(job.plannedBy().keySet());
            throw e;
        }
    }

    /** Lets an idle node see pauses and edits, too: it reports the former, and the latter may bring fires forward. */
    private void watchControl() {
        quietly(() -> {
            long edits = control.get().calendarEdits();
            boolean retry = failures > 0 && node.clock().nanos() - retryNanos >= 0;
            if (edits != seenEdits || retry || isUncounted()) {
                seenEdits = edits;
                planOwed();
            }
        });
    }

    private boolean isUncounted() {
        return node.clock().nanos() - readNanos >= READ_AGAIN.toNanos()
                && !versions(read()).equals(known);
    }

    private List<StoredCalendar> read() {
        List<StoredCalendar> read = node.calendars().readAll(node.store().cluster(), node.clock());
        readNanos = node.clock().nanos();
        return read;
    }

    private static Map<String, Long> versions(List<StoredCalendar> calendars) {
        return calendars.stream().collect(Collectors.toMap(StoredCalendar::name, StoredCalendar::version));
    }

    private boolean isToBeAsked(StoredCalendar calendar) {
        return asked.getOrDefault(calendar.name(), 0L) < calendar.version()
                && node.calendars().knows(calendar.name());
    }

    /**
     * Plans the jobs of calendars again whose edit this node has seen (rule N9): each node does, since it alone knows when
     * its own older plans have arrived. What arrives after that is planned again when it is acknowledged, or by the pass.
     */
    private void planOwed() {
        List<Runnable> due = new ArrayList<>();
        List<StoredCalendar> read = read();
        known = versions(read);
        for (StoredCalendar calendar : read) {
            if (isToBeAsked(calendar)) {
                due.add(() -> {
                    plan(calendar);
                    asked.put(calendar.name(), calendar.version());
                });
            }
        }
        if (zoneRulesOwed) {
            due.add(this::comparedZoneRules);
        }
        planEach(due);
    }

    private void planEach(List<Runnable> due) {
        boolean failed = false;
        for (Runnable planning : due) {
            try {
                planning.run();
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
    }

    /** The next edit is planned at once; what has failed is tried again after a growing pause (rule X2). */
    private synchronized void failed(Throwable e) {
        node.events().failures().add(PLANNING, e);
        Duration first = node.settings().heartbeatInterval();
        failures++;
        Duration pause = new GrowingPause(first, first.multipliedBy(LONGEST_PAUSE)).after(failures);
        retryNanos = node.clock().nanos() + pause.toNanos();
    }

    private void plan(StoredCalendar calendar) {
        planAll(
                () -> JobPages.jobs(node.store(), JobQuery.ofCalendar(calendar.name())),
                job -> node.planner().isOlder(job),
                Replanner.edited(calendar));
    }

    /** @throws IllegalStateException if a calendar throws for one of them, once all others are planned */
    private ReplanResult planAll(Supplier<Stream<StoredJob>> jobs, Predicate<StoredJob> concerned, String why) {
        List<RuntimeException> failed = new ArrayList<>();
        ReplanResult result = replanner.replan(jobs, concerned, why, UNLIMITED, failed::add);
        if (!failed.isEmpty()) {
            throw failed.get(0);
        }
        return result;
    }

    private void quietly(Runnable work) {
        try {
            work.run();
        } catch (StoreException e) {
            reachability.failed(PLANNING, e);
            // the next reading of the calendars finds the plannings that are missing
            seenEdits = -1;
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /**
     * Before the duty starts: notes which calendars there are, and plans jobs again that were planned with other zone rules,
     * if there may be any. Throws only what the store throws: if a calendar fails, its jobs are tried again later, and the
     * node claims meanwhile.
     */
    public void begin() {
        Instant recent = node.clock().now().minus(RECENT);
        read().stream()
                .filter(calendar -> calendar.latestUpdate().isBefore(recent))
                .forEach(calendar -> asked.putIfAbsent(calendar.name(), calendar.version()));
        checkZoneRules();
    }

    private void checkZoneRules() {
        try {
            comparedZoneRules();
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            zoneRulesOwed = true;
            failed(e);
        }
    }

    private void comparedZoneRules() {
        String own = ZoneRulesVersion.all();
        String checked = node.store().cluster().control().zoneRules();
        Optional<String> oldest = oldestRules();
        if (isOlder(checked, own) || isOlder(oldest.orElse(own), own)) {
            planByZoneRules(own);
        }
        // nodes with older rules go on planning by these
        oldest.filter(rules -> !rules.equals(checked)).ifPresent(node.store().cluster()::checkedZoneRules);
        zoneRulesOwed = false;
    }

    private static boolean isOlder(@Nullable String rules, String own) {
        return rules == null || rules.compareTo(own) < 0;
    }

    /** Of the live nodes, this one included; empty while no report was answered, so that they are not known. */
    private Optional<String> oldestRules() {
        return live.get().stream().map(NodeReport::zoneRules).min(Comparator.naturalOrder());
    }

    private void planByZoneRules(String own) {
        ReplanResult result = planAll(
                () -> JobPages.plannedByOthers(node.store(), own),
                job -> FirePlanner.hasOldRules(job.specification(), job.plan()),
                "the rules of its zone have changed");
        if (result.moved() > 0) {
            LOG.info(
                    "zone rules {}: of {} jobs that others may have planned, {} have another next fire",
                    own,
                    result.looked(),
                    result.moved());
        }
    }
}
