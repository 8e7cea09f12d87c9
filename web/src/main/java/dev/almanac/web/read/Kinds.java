package dev.almanac.web.read;

import dev.almanac.model.JobQuery;
import dev.almanac.store.JobStore;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The kinds of jobs that can be chosen from: of the first live jobs, and of the nodes of the last hour. Others may exist.
 *
 * @param tags of jobs
 * @param types of commands
 * @param nodes by their labels
 */
public record Kinds(List<String> tags, List<String> types, List<String> nodes) {
    private static final int EXAMINED = 1_000;
    private static final int MOST = 200;

    static Kinds of(JobStore store, List<NodeReport> reports) {
        Set<String> tags = new TreeSet<>();
        Set<String> types = new TreeSet<>();
        for (StoredJob job : store.list(JobQuery.all().limit(EXAMINED)).jobs()) {
            tags.addAll(job.specification().tags());
            types.add(job.command().type());
        }
        reports.forEach(report -> types.addAll(report.types()));
        return new Kinds(
                first(tags),
                first(types),
                first(new TreeSet<>(reports.stream().map(NodeReport::label).toList())));
    }

    /** Whether a scope of a pause, as it is written, is among them. */
    public boolean has(String scope) {
        int colon = scope.indexOf(':');
        String name = scope.substring(colon + 1);
        return switch (scope.substring(0, colon + 1)) {
            case "tag:" -> tags.contains(name);
            case "type:" -> types.contains(name);
            case "node:" -> nodes.contains(name);
            default -> scope.equals("everything");
        };
    }

    private static List<String> first(Set<String> names) {
        return names.stream().limit(MOST).toList();
    }
}
