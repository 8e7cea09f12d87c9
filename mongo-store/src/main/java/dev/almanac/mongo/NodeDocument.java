package dev.almanac.mongo;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import dev.almanac.store.NodeReport;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The report of a node as a document. */
final class NodeDocument {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDocument.class);
    private static final Duration KEPT = Duration.ofHours(1);

    /** Each node reads them all every few seconds; of more, those that have not reported for longest are not seen by the others. */
    private static final int MOST_READ = 1_000;

    private NodeDocument() {}

    static List<NodeReport> report(MongoCollection<Document> nodes, NodeReport node, Instant liveSince) {
        try {
            Bson there = Filters.and(Filters.eq("_id", node.id()), Filters.ne("stopped", true));
            nodes.replaceOne(there, of(node), new ReplaceOptions().upsert(true));
        } catch (MongoWriteException e) {
            // the node has left, and this report is late
            if (!WriteErrors.isDuplicate(e)) {
                throw e;
            }
        }
        return nodes(nodes, Filters.and(seen(liveSince), Filters.ne("stopped", true)));
    }

    static List<NodeReport> nodes(MongoCollection<Document> nodes, Instant seenSince) {
        return nodes(nodes, seen(seenSince));
    }

    private static Bson seen(Instant since) {
        return Filters.gte("seen", Date.from(since));
    }

    private static List<NodeReport> nodes(MongoCollection<Document> nodes, Bson chosen) {
        List<NodeReport> live = new ArrayList<>();
        for (Document document :
                nodes.find(chosen).sort(Sorts.descending("seen")).limit(MOST_READ)) {
            try {
                live.add(read(document));
            } catch (RuntimeException e) {
                // reports are used for preferences only, so a damaged one must not stop this node's reports
                LOG.warn(
                        "the report of node '{}' cannot be read and is left out: {}",
                        Printable.value(document.get("_id")),
                        Printable.value(e));
            }
        }
        live.sort(Comparator.comparing(NodeReport::started).thenComparing(NodeReport::id));
        return live;
    }

    private static Document of(NodeReport node) {
        Document document = new Document("_id", node.id()).append("label", node.label());
        Fields.put(document, "started", node.started());
        Fields.put(document, "seen", node.seen());
        Duration twice = node.silentAfter().multipliedBy(2);
        Fields.put(document, "deleteTime", node.seen().plus(twice.compareTo(KEPT) > 0 ? twice : KEPT));
        document.append("zoneRules", node.zoneRules());
        document.append("clockOffset", node.clockOffset().toString());
        document.append("types", List.copyOf(new TreeSet<>(node.types())));
        document.append("runs", node.runs());
        Fields.put(document, "slots", node.slots() == 0 ? null : node.slots());
        Fields.put(
                document,
                "fullTypes",
                node.fullTypes().isEmpty() ? null : List.copyOf(new TreeSet<>(node.fullTypes())));
        document.append("minPriority", node.minPriority());
        document.append("maxPriority", node.maxPriority());
        Fields.put(document, "reasons", node.reasons().isEmpty() ? null : node.reasons());
        Fields.put(document, "claimsNothing", node.claimsNothing());
        Fields.put(document, "stopped", node.stopped() ? true : null);
        Duration silentAfter = node.silentAfter();
        Fields.put(
                document, "silentAfter", silentAfter.equals(NodeReport.SILENT_AFTER) ? null : silentAfter.toMillis());
        return document;
    }

    /** What a node of another release leaves out is not known; whether it is live is. */
    private static NodeReport read(Document from) {
        Instant seen = Objects.requireNonNull(Fields.instant(from, "seen"));
        long silentAfter = Fields.number(from, "silentAfter");
        return new NodeReport(
                Fields.required(from, "_id", String.class),
                Objects.requireNonNullElse(from.getString("label"), ""),
                Objects.requireNonNullElse(Fields.instant(from, "started"), seen),
                seen,
                Objects.requireNonNullElse(from.getString("zoneRules"), "unknown"),
                Objects.requireNonNullElse(Fields.duration(from, "clockOffset"), Duration.ZERO),
                Set.copyOf(from.getList("types", String.class, List.of())),
                (int) Fields.number(from, "runs"),
                (int) Fields.number(from, "slots"),
                Set.copyOf(from.getList("fullTypes", String.class, List.of())),
                (int) Fields.number(from, "minPriority"),
                from.get("maxPriority") instanceof Number max ? max.intValue() : 7,
                from.getList("reasons", String.class, List.of()),
                from.getString("claimsNothing"),
                Fields.flag(from, "stopped"),
                silentAfter == 0 ? NodeReport.SILENT_AFTER : Duration.ofMillis(silentAfter));
    }
}
