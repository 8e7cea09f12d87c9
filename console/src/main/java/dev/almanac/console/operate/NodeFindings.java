package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.model.Finding;
import dev.almanac.model.Finding.Kind;
import dev.almanac.model.InvariantReport;
import dev.almanac.runtime.SchedulerSettings;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bson.Document;

/**
 * What the reports of the nodes tell about clocks, zone rules, and command types that nobody runs. A scheduler that is
 * not started sees no nodes and leaves this out of its report; here the reports are read as documents.
 */
final class NodeFindings {
    private static final int MOST_JOBS = 10_000;
    private static final String LEFT_OUT = "command types, clocks and zone rules of the nodes";

    private NodeFindings() {}

    /** The report with what the nodes tell. */
    static InvariantReport added(StoreAccess access, InvariantReport report) {
        Instant server = access.store().serverTime();
        List<NodeReading> live = NodeReading.all(access, server).stream()
                .filter(NodeReading::live)
                .toList();
        List<Finding> findings = new ArrayList<>(report.findings());
        clocks(live, findings);
        rules(live, findings);
        types(access, live, findings);
        List<String> notChecked = report.notChecked().stream()
                .filter(text -> !text.startsWith(LEFT_OUT))
                .toList();
        return new InvariantReport(findings, report.jobs(), notChecked);
    }

    private static void clocks(List<NodeReading> live, List<Finding> findings) {
        Duration bound = SchedulerSettings.defaults().clockWarning();
        for (NodeReading node : live) {
            if (offset(node).abs().compareTo(bound) > 0) {
                findings.add(new Finding(
                        Kind.CLOCK_OFFSET,
                        node.node(),
                        "the clock of node " + node.node() + " (" + node.label() + ") differs from the server's by "
                                + node.clockOffset(),
                        "let the machine keep its time, as by NTP"));
            }
        }
    }

    private static Duration offset(NodeReading node) {
        try {
            return Duration.parse(node.clockOffset());
        } catch (DateTimeException notWrittenByANode) {
            return Duration.ZERO;
        }
    }

    private static void rules(List<NodeReading> live, List<Finding> findings) {
        Set<String> rules = live.stream().map(NodeReading::zoneRules).collect(Collectors.toCollection(TreeSet::new));
        if (rules.size() > 1) {
            findings.add(new Finding(
                    Kind.MIXED_ZONE_RULES,
                    null,
                    "the live nodes have different versions of the time zone rules: " + rules,
                    "bring all nodes to one release of Java"));
        }
    }

    private static void types(StoreAccess access, List<NodeReading> live, List<Finding> findings) {
        Set<String> runnable =
                live.stream().flatMap(node -> node.types().stream()).collect(Collectors.toSet());
        List<Document> questions = List.of(
                Document.parse("{$match: {activeKey: {$exists: true}}}"),
                new Document("$limit", MOST_JOBS),
                Document.parse("{$group: {_id: '$type', jobs: {$sum: 1}}}"),
                Document.parse("{$sort: {_id: 1}}"));
        access.database()
                .getCollection(access.settings().collectionPrefix() + "jobSpecification")
                .aggregate(questions)
                .forEach(found -> {
                    String type = String.valueOf(found.get("_id"));
                    if (!runnable.contains(type)) {
                        findings.add(new Finding(
                                Kind.UNKNOWN_TYPE,
                                type,
                                found.get("jobs") + " live jobs have command type '" + type
                                        + "', which no live node can run",
                                "start a node that has the type, or cancel the jobs; they are kept as they are until"
                                        + " then"));
                    }
                });
    }
}
