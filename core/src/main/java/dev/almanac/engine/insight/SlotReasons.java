package dev.almanac.engine.insight;

import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.store.NodeReport;
import java.util.List;
import java.util.stream.Collectors;

/** Why a due job is not claimed although nodes could: what takes their slots, and what comes first (rule S20). Pure. */
final class SlotReasons {
    private static final int MOST_NAMED = 5;

    private SlotReasons() {}

    /** At most one reason. */
    static List<Reason> of(ExplainerInput known) {
        ExplainerInput.Ahead ahead = known.ahead();
        List<NodeReport> nodes = known.supporting();
        if (ahead == null || nodes.isEmpty()) {
            return List.of();
        }
        String type = known.job().command().type();
        boolean full = nodes.stream().allMatch(node -> node.slots() > 0 && node.free(type) == 0);
        long free = nodes.stream().mapToLong(node -> node.free(type)).sum();
        long urgent = jobs(ahead.urgent());
        if (!full && urgent <= free) {
            return List.of();
        }
        String taken = full
                ? "waits while " + full(nodes) + named(": ", ahead.running(), "by jobs of")
                : "waits behind more urgent jobs" + named("; running are ", ahead.running(), "of");
        String first = urgent == 0
                ? ""
                : "; " + urgent + (ahead.more() ? " or more" : "")
                        + (urgent == 1 && !ahead.more() ? " due job is" : " due jobs are")
                        + " more urgent and " + (urgent == 1 && !ahead.more() ? "comes" : "come") + " first"
                        + named(": ", ahead.urgent(), "of");
        return List.of(new Reason(
                Kind.SLOTS_TAKEN,
                taken + first,
                null,
                null,
                null,
                "waits behind other jobs, which take the slots of the nodes"));
    }

    private static String full(List<NodeReport> nodes) {
        long limited = nodes.stream().filter(node -> node.runs() < node.slots()).count();
        String these = " the " + nodes.size() + " live nodes that can claim it";
        return limited == 0
                ? "all " + nodes.stream().mapToLong(NodeReport::slots).sum() + " slots of" + these + " are taken"
                : "the limit of its command type is reached"
                        + (limited < nodes.size() ? ", or all slots are taken," : "") + " on" + these;
    }

    private static long jobs(List<ExplainerInput.Kind> kinds) {
        return kinds.stream().mapToLong(ExplainerInput.Kind::jobs).sum();
    }

    private static String named(String before, List<ExplainerInput.Kind> kinds, String of) {
        if (kinds.isEmpty()) {
            return "";
        }
        long more = jobs(kinds.subList(Math.min(MOST_NAMED, kinds.size()), kinds.size()));
        return kinds.stream()
                .limit(MOST_NAMED)
                .map(kind -> kind.jobs() + " " + of + " type '" + kind.type() + "' with priority " + kind.priority())
                .collect(Collectors.joining(", ", before, more == 0 ? "" : ", and " + more + " others"));
    }
}
