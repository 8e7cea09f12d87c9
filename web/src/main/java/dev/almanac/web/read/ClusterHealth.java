package dev.almanac.web.read;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.model.UnservedJobs;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobStore;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The health of the database and all of its nodes, seen from a process that runs nothing. */
public final class ClusterHealth {
    private static final int MOST_REASONS = 20;

    private ClusterHealth() {}

    /**
     * Asks the store. Live jobs are not counted.
     *
     * @param scheduler on that store, for questions
     */
    public static Health of(JobStore store, Scheduler scheduler) {
        StoreReport report = store.open();
        List<String> reasons = new ArrayList<>();
        report.warnings().forEach(warning -> reasons.add("the store warns: " + warning));
        Instant asked = Instant.now();
        Instant server = store.serverTime();
        Duration skew = difference(asked, server, Instant.now());
        if (skew.abs().compareTo(SchedulerSettings.defaults().clockWarning()) > 0) {
            reasons.add("the server's clock differs from this machine's by " + skew);
        }
        List<NodeReport> live = live(store, server);
        if (live.isEmpty()) {
            reasons.add(0, "no node is live, so nothing runs; start a service, or almanac run FILE");
            return new Health(Health.State.DOWN, reasons);
        }
        pauses(scheduler.pauses(), reasons);
        NodeReport.differentZoneRules(live).ifPresent(reasons::add);
        scheduler.unserved().stream()
                .filter(UnservedJobs::isLong)
                .limit(MOST_REASONS)
                .forEach(jobs -> reasons.add(jobs.words()));
        ofNodes(live, reasons);
        return new Health(reasons.isEmpty() ? Health.State.UP : Health.State.DEGRADED, reasons);
    }

    private static List<NodeReport> live(JobStore store, Instant server) {
        return store.cluster().nodes(Instant.EPOCH).stream()
                .filter(node -> node.isLive(server))
                .toList();
    }

    /** Adds pauses of everything or of all jobs of a type. */
    private static void pauses(List<StandingPause> pauses, List<String> reasons) {
        pauses.stream()
                .filter(pause -> !(pause.scope() instanceof PauseScope.Tag))
                .forEach(pause ->
                        reasons.add(pause.scope() + (pause.isOfNode() ? " is on standby since " : " is paused since ")
                                + pause.begins() + " by " + pause.pause().author() + ": "
                                + pause.pause().reason() + "; to end that: "
                                + pause.scope().resumeCommand()));
    }

    /** What each node reports of itself, such as a growing backlog or a listener that blocks. */
    private static void ofNodes(List<NodeReport> live, List<String> reasons) {
        List<String> all = live.stream()
                .flatMap(node -> node.reasons().stream().map(reason -> "node " + node.label() + ": " + reason))
                .toList();
        all.stream().limit(MOST_REASONS).forEach(reasons::add);
        if (all.size() > MOST_REASONS) {
            reasons.add((all.size() - MOST_REASONS) + " more reasons of nodes; see nodes --json");
        }
    }

    /**
     * By how much the clocks differ at least: the server has read its own at some moment of the call.
     *
     * @param asked when the call was sent, by this machine's clock
     * @param server its answer
     * @param answered when that arrived, by this machine's clock
     */
    static Duration difference(Instant asked, Instant server, Instant answered) {
        if (server.isBefore(asked)) {
            return Duration.between(asked, server);
        }
        return server.isAfter(answered) ? Duration.between(answered, server) : Duration.ZERO;
    }
}
