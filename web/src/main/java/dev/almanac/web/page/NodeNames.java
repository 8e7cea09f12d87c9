package dev.almanac.web.page;

import dev.almanac.store.NodeReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names nodes by their labels, never by their ids. A report is stored for an hour, so older nodes have numbers within
 * the page: past node 1 is the first that it names. For one page.
 */
final class NodeNames {
    private final Map<String, String> labels = new HashMap<>();
    private final List<String> past = new ArrayList<>();

    NodeNames(List<NodeReport> reports) {
        reports.forEach(report -> labels.put(report.id(), report.label()));
    }

    String of(@Nullable String id) {
        if (id == null) {
            return "";
        }
        return labels.computeIfAbsent(id, unknown -> {
            past.add(unknown);
            return "past node " + past.size();
        });
    }

    /** A text in which nodes that were named before are named by their labels. */
    String in(String text) {
        String shown = text;
        for (Map.Entry<String, String> node : labels.entrySet()) {
            String id = node.getKey();
            String label = node.getValue();
            if (!id.isEmpty() && shown.contains(id)) {
                shown = past.contains(id)
                        ? shown.replace("node " + id, label)
                        : shown.replace(id + " (" + label + ")", label);
                shown = id.equals(label) ? shown : shown.replace(id, label);
            }
        }
        return shown;
    }
}
