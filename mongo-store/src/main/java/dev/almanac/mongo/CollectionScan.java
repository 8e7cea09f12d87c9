package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.almanac.model.History;
import dev.almanac.store.StoreInspection.Page;
import dev.almanac.store.StoreInspection.ShownRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Reads whole collections page by page, in the order of an existing index. */
final class CollectionScan {
    /** Ids that are texts come before those that are object ids, and a comparison never leaves its kind. */
    private static final String FIRST_OBJECT_ID = "000000000000000000000000";

    /** What decides which rows must be stored, and for how long; no stacks, notes or states. */
    private static final Bson SHOWN = Projections.include(Stream.concat(
                    Stream.of(
                            "jobSpecificationKey", "history", "due", "lease.token", "planned.calendars", "deleteTime"),
                    Stream.of("lastStatus", SpecificationDocument.OLDER)
                            .flatMap(row -> RowDocument.FATE.stream().map(field -> row + "." + field)))
            .toList());

    private CollectionScan() {}

    static Page<ShownRow> newestRows(MongoCollection<Document> jobs, @Nullable String after, int limit) {
        Bson rest = after == null ? new Document() : Filters.gt("_id", Ids.toBson(after));
        List<Document> found = jobs.find(rest)
                .sort(Sorts.ascending("_id"))
                .projection(SHOWN)
                .limit(limit)
                .into(new ArrayList<>());
        List<ShownRow> rows = found.stream().flatMap(CollectionScan::shown).toList();
        return new Page<>(
                rows,
                found.size() < limit
                        ? afterTexts(after)
                        : Ids.fromBson(found.get(found.size() - 1).get("_id")));
    }

    private static Stream<ShownRow> shown(Document job) {
        String id = Ids.fromBson(job.get("_id"));
        try {
            String key = Fields.required(job, "jobSpecificationKey", String.class);
            History history = Fields.oneOf(job, "history", History.ALL);
            boolean live = job.get("deleteTime") == null;
            Instant goesOn = job.get("lease") == null ? Fields.instant(job, "due") : null;
            Map<String, Long> plannedBy = live && goesOn != null
                    ? SpecificationDocument.readPlannedBy(Fields.optional(job, "planned", Document.class))
                    : Map.of();
            return SpecificationDocument.shownRows(job, id, key).stream()
                    .map(row -> new ShownRow(id, history, row, live, goesOn, plannedBy));
        } catch (RuntimeException damaged) {
            return Stream.empty();
        }
    }

    private static @Nullable String afterTexts(@Nullable String after) {
        return after != null && Ids.toBson(after) instanceof String ? FIRST_OBJECT_ID : null;
    }
}
