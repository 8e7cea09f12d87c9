package dev.almanac.engine.upkeep;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.PeriodicStep;
import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.rules.Served;
import dev.almanac.model.StandingPause;
import dev.almanac.model.UnservedJobs;
import dev.almanac.runtime.Lane;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.DueJob;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts overdue jobs, and due jobs that no live node takes, every half minute, so that {@code health()} can report them
 * without a call of the store. Jobs of {@link WaitingGroups} are left out of the former. Three queries, two on the index
 * of the looks, and some more if there are jobs of groups, or jobs that nobody takes; each reads at most 2 000 jobs.
 */
public final class BacklogDuty {
    /** Jobs that are due for less are being claimed, or belong to a burst that is over soon. */
    public static final Duration OVERDUE = Duration.ofSeconds(10);

    /** The largest number of overdue jobs that is read and reported. */
    public static final int COUNTED = 2_000;

    private static final int MOST_QUERIES = 5;
    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final Node node;
    private final BacklogCount backlog;
    private final WaitingGroups groups;
    private final Supplier<List<NodeReport>> live;
    private final Reachability reachability;
    private final PeriodicStep step;
    private volatile OverdueTrend trend = OverdueTrend.NONE;
    private volatile Set<String> waitingGroups = Set.of();
    private volatile Unserved unserved = new Unserved(List.of(), List.of(), List.of(), Instant.EPOCH);
    private @Nullable Instant last;

    /** What was counted last, when, and among which nodes. */
    private record Unserved(
            List<UnservedJobs> jobs, List<NodeReport> nodes, List<StandingPause> pauses, Instant counted) {}

    /**
     * @param live the nodes that are live
     * @param lane where it asks
     */
    public BacklogDuty(
            Node node, BacklogCount backlog, Supplier<List<NodeReport>> live, Reachability reachability, Lane lane) {
        this.node = node;
        this.backlog = backlog;
        this.groups = new WaitingGroups(node);
        this.live = live;
        this.reachability = reachability;
        this.step = new PeriodicStep(lane, INTERVAL, this::count);
    }

    public void start() {
        step.start();
    }

    public void stop() {
        step.stop();
    }

    /** As last counted. */
    public OverdueTrend trend() {
        return trend;
    }

    /** The groups whose due jobs wait for each other, as last seen. */
    public Set<String> waitingGroups() {
        return waitingGroups;
    }

    /** Due jobs that no live node takes, as last counted, with their present age; without those that one takes since. */
    public List<UnservedJobs> unserved() {
        Unserved known = unserved;
        Instant now = node.clock().now();
        Set<String> counted = known.nodes().stream()
                .filter(other -> other.claimsNothing() == null)
                .map(NodeReport::id)
                .collect(Collectors.toSet());
        // those that are new, or began to claim
        List<NodeReport> joined = live.get().stream()
                .filter(other -> !counted.contains(other.id()))
                .toList();
        Served since = Served.by(joined, now, known.pauses());
        return known.jobs().stream()
                .filter(jobs -> !since.takes(jobs))
                .map(jobs -> jobs.after(Duration.between(known.counted(), now)))
                .toList();
    }

    private void count() {
        Instant now = node.clock().now();
        try {
            ClusterControl control = node.store().cluster().control();
            List<DueJob> overdue = overdue(control, now);
            Duration apart = last == null ? Duration.ZERO : Duration.between(last, now);
            trend = trend.next(overdue.size(), BacklogCount.oldest(overdue, now), apart);
            last = now;
            unserved(control, now);
        } catch (StoreException e) {
            reachability.failed("counting overdue jobs", e);
        }
    }

    /** Before the first report of this node it is not known which nodes are live. */
    private void unserved(ClusterControl control, Instant now) {
        List<NodeReport> nodes = live.get();
        if (!nodes.isEmpty()) {
            unserved = new Unserved(backlog.unserved(nodes, control, now), nodes, control.pauses(), now);
        }
    }

    /** Without the jobs of waiting groups, which are left out of the next query if they have used up the limit. */
    private List<DueJob> overdue(ClusterControl control, Instant now) {
        groups.begin();
        List<DueJob> found = backlog.overdue(control, now, new BacklogCount.Bounds(OVERDUE, COUNTED, Set.of()));
        boolean waiting = groups.judge(found, control, now);
        for (int i = 1; i < MOST_QUERIES && waiting && found.size() >= COUNTED; i++) {
            found = backlog.overdue(control, now, new BacklogCount.Bounds(OVERDUE, COUNTED, groups.names()));
            waiting = groups.judge(found, control, now);
        }
        Set<String> names = groups.names();
        waitingGroups = names;
        return found.stream()
                .filter(job -> job.group() == null || !names.contains(job.group()))
                .toList();
    }
}
