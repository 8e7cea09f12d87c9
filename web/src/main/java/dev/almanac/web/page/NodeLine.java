package dev.almanac.web.page;

import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.NodeReport;
import dev.almanac.web.read.StoreReader;
import dev.almanac.web.text.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A node, as it has reported itself.
 *
 * @param live whether it has reported lately, and was not stopped
 * @param standby whether a pause keeps it from claiming
 */
record NodeLine(NodeReport report, boolean live, boolean standby) {
    static final Columns<NodeLine> COLUMNS = new Columns<NodeLine>()
            .by("nodes.node", line -> line.report().label())
            .by("nodes.state", line -> line.chip().text())
            .by("nodes.seen", line -> line.report().seen())
            .by("nodes.started", line -> line.report().started())
            .by("nodes.runs", line -> line.report().runs())
            .by("nodes.clock", line -> line.report().clockOffset())
            .by("nodes.rules", line -> line.report().zoneRules());

    /** As nodes judge each other by default. */
    static List<NodeLine> all(List<NodeReport> reports, List<StandingPause> pauses, Instant now) {
        return reports.stream().map(report -> of(report, pauses, now)).toList();
    }

    private static NodeLine of(NodeReport report, List<StandingPause> pauses, Instant now) {
        boolean live = report.isLive(now, StoreReader.SILENT_AFTER);
        boolean standby = pauses.stream()
                .filter(pause -> pause.isInForce(now))
                .anyMatch(
                        pause -> pause.scope() instanceof PauseScope.Node node && node.is(report.id(), report.label()));
        return new NodeLine(report, live, standby);
    }

    /** The label of the node of this id. */
    static String label(List<NodeReport> reports, String id) {
        return reports.stream()
                .filter(report -> report.id().equals(id))
                .map(NodeReport::label)
                .findFirst()
                .orElse(id);
    }

    /** Whether it has not reported lately, although it was not stopped in order. */
    boolean isSilent() {
        return !live && !report.stopped();
    }

    /** How many runs it holds, and how many it may hold at a time if it tells that. */
    String runs() {
        return report.slots() == 0 ? "" + report.runs() : report.runs() + " of " + report.slots();
    }

    /** Its clock, compared with the server's. */
    String clock() {
        Duration offset = report.clockOffset();
        if (offset.toMillis() == 0) {
            return "as the server's";
        }
        return (offset.isNegative() ? "ahead by " : "behind by ") + Clock.length(offset.abs());
    }

    Chip chip() {
        if (report.stopped()) {
            return new Chip("stopped", "quiet");
        }
        if (!live) {
            return new Chip("silent", "warn");
        }
        return standby ? new Chip("standby", "hold") : new Chip("live", "good");
    }
}
