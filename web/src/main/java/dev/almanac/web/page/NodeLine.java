package dev.almanac.web.page;

import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A node, as it has reported itself. */
record NodeLine(NodeReport report, boolean live) {
    static final Columns<NodeLine> COLUMNS = new Columns<NodeLine>()
            .by("nodes.node", line -> line.report().label())
            .by("nodes.state", line -> line.chip().text())
            .by("nodes.seen", line -> line.report().seen())
            .by("nodes.started", line -> line.report().started())
            .by("nodes.runs", line -> line.report().runs())
            .by("nodes.clock", line -> line.report().clockOffset())
            .by("nodes.rules", line -> line.report().zoneRules());

    /** As nodes judge each other by default. */
    private static final Duration SILENT_AFTER = Duration.ofSeconds(15);

    static List<NodeLine> all(List<NodeReport> reports, Instant now) {
        return reports.stream()
                .map(report -> new NodeLine(report, report.seen().isAfter(now.minus(SILENT_AFTER))))
                .toList();
    }

    /** The label of the node of this id. */
    static String label(List<NodeReport> reports, String id) {
        return reports.stream()
                .filter(report -> report.id().equals(id))
                .map(NodeReport::label)
                .findFirst()
                .orElse(id);
    }

    /** How many runs it holds, and how many it may hold at a time if it tells that. */
    String runs() {
        return report.slots() == 0 ? "" + report.runs() : report.runs() + " of " + report.slots();
    }

    Chip chip() {
        if (report.stopped()) {
            return new Chip("stopped", "quiet");
        }
        return live ? new Chip("live", "good") : new Chip("silent", "warn");
    }
}
