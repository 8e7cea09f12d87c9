package dev.almanac.console.operate;

import dev.almanac.console.connection.StoreAccess;
import dev.almanac.runtime.SchedulerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What a node said of itself, as the documents of the collection {@code node} have it. They are read as they are, since
 * asking as a node does would report this process as one.
 *
 * @param live whether it has reported within the time after which nodes count as silent
 */
record NodeReading(
        String node,
        String label,
        boolean live,
        @Nullable Instant started,
        @Nullable Instant seen,
        String zoneRules,
        String clockOffset,
        List<String> types,
        int runs) {
    private static final Duration SILENT_AFTER = SchedulerSettings.defaults().nodeTimeout();

    /** All nodes that have reported within the last hour, the longest running first. */
    static List<NodeReading> all(StoreAccess access, Instant now) {
        List<NodeReading> nodes = new ArrayList<>();
        access.database()
                .getCollection(access.settings().collectionPrefix() + "node")
                .find()
                .sort(new Document("started", 1).append("_id", 1))
                .forEach(document -> nodes.add(of(document, now)));
        return nodes;
    }

    private static NodeReading of(Document document, Instant now) {
        Instant seen = instant(document, "seen");
        return new NodeReading(
                String.valueOf(document.get("_id")),
                String.valueOf(document.get("label")),
                seen != null && seen.isAfter(now.minus(SILENT_AFTER)),
                instant(document, "started"),
                seen,
                String.valueOf(document.get("zoneRules")),
                String.valueOf(document.get("clockOffset")),
                document.get("types") instanceof List<?> types
                        ? types.stream().map(String::valueOf).toList()
                        : List.of(),
                document.get("runs") instanceof Number runs ? runs.intValue() : 0);
    }

    private static @Nullable Instant instant(Document document, String field) {
        return document.get(field) instanceof Date date ? date.toInstant() : null;
    }
}
