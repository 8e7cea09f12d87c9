package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.jobs.PauseTarget;
import dev.almanac.model.Finding;
import dev.almanac.model.StandingPause;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Findings that are no violations but easily forgotten: pauses in force, and nodes that have died. */
final class PauseAndNodeFindings {
    private static final Duration SILENT_AFTER = SchedulerSettings.defaults().nodeTimeout();

    private PauseAndNodeFindings() {}

    static List<Finding> pauses(StoreAccess access) {
        Instant now = access.store().serverTime();
        return access.scheduler().pauses().stream()
                .filter(pause -> pause.isInForce(now))
                .map(pause -> pause(pause, now))
                .toList();
    }

    private static Finding pause(StandingPause standing, Instant now) {
        return new Finding(
                Finding.Kind.PAUSED,
                standing.scope().toString(),
                PauseTarget.words(standing.scope()) + " is paused since " + standing.since() + ", "
                        + ago(standing.since(), now) + ", by "
                        + standing.pause().author() + ": "
                        + standing.pause().reason(),
                "to end that: " + PauseTarget.resume(standing.scope()));
    }

    /** Nodes of the last hour that do not report any more and were not stopped in order. */
    static List<Finding> nodes(StoreAccess access) {
        Instant now = access.store().serverTime();
        return access.store().cluster().nodes(Instant.EPOCH).stream()
                .filter(node -> !node.stopped() && !node.seen().isAfter(now.minus(SILENT_AFTER)))
                .map(node -> lost(node, now))
                .toList();
    }

    private static Finding lost(NodeReport node, Instant now) {
        return new Finding(
                Finding.Kind.NODE_LOST,
                node.id(),
                "node " + node.id() + " (" + node.label() + ") last reported at " + node.seen() + ", "
                        + ago(node.seen(), now) + ", with " + node.runs() + " runs, and did not stop in order",
                "look at its log and start it again if it is missed; what became of its runs:"
                        + " almanac jobs history --failed --since 1h");
    }

    private static String ago(Instant then, Instant now) {
        Duration age = Duration.between(then, now);
        if (age.toDays() > 0) {
            return age.toDays() + " d ago";
        }
        return age.toHours() > 0 ? age.toHours() + " h ago" : age.toMinutes() + " min ago";
    }
}
