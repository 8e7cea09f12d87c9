package dev.almanac.web.page;

import dev.almanac.model.StandingPause;
import dev.almanac.store.NodeReport;
import dev.almanac.web.text.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A node, as it has reported itself.
 *
 * @param state as nodes judge each other by default
 * @param types command types that it runs, as far as the viewer may see them, in order
 */
record NodeLine(NodeReport report, NodeReport.State state, List<String> types) {
    static final Columns<NodeLine> COLUMNS = new Columns<NodeLine>()
            .by("nodes.node", line -> line.report().label())
            .by("nodes.state", line -> line.chip().text())
            .by("nodes.seen", line -> line.report().seen())
            .by("nodes.started", line -> line.report().started())
            .by("nodes.runs", line -> line.report().runs())
            .by("nodes.clock", line -> line.report().clockOffset())
            .by("nodes.rules", line -> line.report().zoneRules())
            .by("nodes.priorities", line -> line.report().priorities());

    /**
     * Every node, with its state.
     *
     * @param types whether the viewer may see the names of command types
     */
    static List<NodeLine> all(List<NodeReport> reports, List<StandingPause> pauses, Instant now, boolean types) {
        return reports.stream()
                .map(report -> new NodeLine(
                        report,
                        report.state(now, pauses),
                        types ? report.types().stream().sorted().toList() : List.of()))
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

    /** Whether it reports; one on standby does. */
    boolean isLive() {
        return state == NodeReport.State.LIVE || state == NodeReport.State.STANDBY;
    }

    /** Whether its last report is old although it was not stopped in order. */
    boolean isSilent() {
        return state == NodeReport.State.SILENT;
    }

    /** Its runs, and its maximum of runs at a time if it reports that. */
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
        return new Chip(
                state.toString(),
                switch (state) {
                    case LIVE -> "good";
                    case STANDBY -> "hold";
                    case SILENT -> "warn";
                    case STOPPED -> "quiet";
                });
    }
}
