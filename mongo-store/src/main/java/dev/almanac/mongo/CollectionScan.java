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
import org.bson.BsonType;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Reads whole collections page by page, in the order of an existing index. */
final class CollectionScan {
    /** What decides which rows must be stored, and for how long; no stacks, notes or states. */
    private static final Bson SHOWN = Projections.include(Stream.concat(
                    Stream.of(
                            "jobSpecificationKey", "history", "due", "lease.token", "planned.calendars", "deleteTime"),
                    Stream.of("lastStatus", SpecificationDocument.OLDER)
                            .flatMap(row -> RowDocument.FATE.stream().map(field -> row + "." + field)))
            .toList());

    private CollectionScan() {}

    static Page<ShownRow> newestRows(MongoCollection<Document> jobs, @Nullable String after, int limit) {
        List<Document> found = jobs.find(Filters.and(idsAfter(after), DocumentReader.KEPT))
                .sort(Sorts.ascending("_id"))
                .projection(SHOWN)
                .limit(limit)
                .into(new ArrayList<>());
        List<ShownRow> rows = found.stream().flatMap(CollectionScan::shown).toList();
        return new Page<>(
                rows,
                found.size() < limit
                        ? null
                        : Ids.fromBson(found.get(found.size() - 1).get("_id")));
    }

    /**
     * Texts come before object ids, and a comparison never leaves its kind. Documents by whose ids no job can be read are
     * left out: a page that ended with one would lose its place.
     */
    private static Bson idsAfter(@Nullable String after) {
        Object id = Ids.toBson(after == null ? "" : after);
        if (!(id instanceof String)) {
            return Filters.gt("_id", id);
        }
        Bson texts = after == null ? Filters.gte("_id", id) : Filters.gt("_id", id);
        return Filters.or(
                Filters.and(texts, Filters.not(Filters.regex("_id", Ids.OBJECT_ID))),
                Filters.type("_id", BsonType.OBJECT_ID));
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
}
