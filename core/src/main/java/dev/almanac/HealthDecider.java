package dev.almanac;

import dev.almanac.engine.insight.NodeSnapshot;
import dev.almanac.engine.node.ContainedFailure;
import dev.almanac.engine.node.Stage;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Decides the health of a node (rule O5): DOWN if it runs nothing, DEGRADED if an operator should look. A pure
 * function.
 */
final class HealthDecider {
    /** If all slots were taken for this time, the node counts as DEGRADED. */
    private static final Duration LONG_WITHOUT_SLOT = Duration.ofMinutes(1);
    /** How long a failure of the service's own code counts. */
    private static final Duration RECENT = Duration.ofMinutes(5);

    private static final int MOST_NAMED = 5;

    private HealthDecider() {}

    static Health decide(NodeSnapshot snapshot) {
        List<String> down = down(snapshot);
        List<String> reasons = new ArrayList<>(down);
        clocks(snapshot, reasons);
        snapshot.pauses()
                .forEach(pause -> reasons.add((pause.isOfNode() ? "it is on standby" : pause.scope() + " is paused")
                        + " since " + pause.since() + " by "
                        + pause.pause().author() + ": " + pause.pause().reason()));
        runs(snapshot, reasons);
        failures(snapshot, reasons);
        snapshot.storeWarnings().forEach(warning -> reasons.add("the store warns: " + warning));
        if (reasons.isEmpty()) {
            return new Health(Health.State.UP, List.of());
        }
        return new Health(down.isEmpty() ? Health.State.DEGRADED : Health.State.DOWN, List.copyOf(reasons));
    }

    private static List<String> down(NodeSnapshot snapshot) {
        List<String> down = new ArrayList<>();
        if (snapshot.stage() == Stage.NEW) {
            down.add("it is not started; it schedules jobs and runs none");
        } else if (snapshot.stage() != Stage.STARTED) {
            down.add("it was drained and claims no more");
        } else if (!snapshot.rehydrated()) {
            down.add("it is not rehydrated, and claims nothing until it is");
        }
        if (!snapshot.storeComplaint().isEmpty()) {
            down.add(snapshot.storeComplaint());
        }
        return down;
    }

    private static void clocks(NodeSnapshot snapshot, List<String> reasons) {
        if (snapshot.clockOffset().abs().compareTo(snapshot.clockWarning()) > 0) {
            reasons.add("the server's clock differs from this node's by " + snapshot.clockOffset());
        }
        Set<String> rules =
                snapshot.liveNodes().stream().map(NodeReport::zoneRules).collect(Collectors.toCollection(TreeSet::new));
        if (rules.size() > 1) {
            reasons.add("the live nodes have different versions of the time zone rules: " + rules);
        }
    }

    private static void runs(NodeSnapshot snapshot, List<String> reasons) {
        if (snapshot.noSlotFor().compareTo(LONG_WITHOUT_SLOT) >= 0) {
            reasons.add("all " + snapshot.slots() + " slots are taken and none has become free for "
                    + snapshot.noSlotFor().toSeconds() + " s");
        }
        snapshot.stuck().stream().limit(MOST_NAMED).forEach(stuck -> reasons.add(stuck.why()));
        int more = snapshot.stuck().size() - MOST_NAMED;
        if (more > 0) {
            reasons.add(more + " more runs are stuck; stuckRuns() lists them");
        }
    }

    private static void failures(NodeSnapshot snapshot, List<String> reasons) {
        List<ContainedFailure> recent = snapshot.failures().stream()
                .filter(failure -> failure.ago().compareTo(RECENT) < 0)
                .toList();
        recent.stream()
                .limit(MOST_NAMED)
                .forEach(failure -> reasons.add(failure.what() + " has failed " + times(failure.count()) + ", last "
                        + failure.ago().toSeconds() + " s ago"));
        if (recent.size() > MOST_NAMED) {
            reasons.add(
                    (recent.size() - MOST_NAMED) + " more kinds of contained failures; the log has the first of each");
        }
    }

    private static String times(long count) {
        return count == 1 ? "once" : count + " times";
    }
}
