package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.almanac.model.History;
import dev.almanac.store.StoreInspection.Page;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoreInspection.UnstampedRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Reads whole collections page by page, in the order of an existing index. */
final class CollectionScan {
    private static final String JOB = "jobSpecificationId";
    private static final String TIME = "updatedTime";
    /** Ids that are texts come before those that are object ids, and a comparison never leaves its kind. */
    private static final String FIRST_OBJECT_ID = "000000000000000000000000";

    private CollectionScan() {}

    static Page<ShownRow> newestRows(MongoCollection<Document> jobs, @Nullable String after, int limit) {
        Bson rest = after == null ? new Document() : Filters.gt("_id", Ids.toBson(after));
        List<Document> found = jobs.find(rest)
                .sort(Sorts.ascending("_id"))
                .projection(Projections.include(
                        "jobSpecificationKey", "history", "lastStatus", SpecificationDocument.OLDER, "state"))
                .limit(limit)
                .into(new ArrayList<>());
        List<ShownRow> rows = found.stream().flatMap(CollectionScan::shown).toList();
        return new Page<>(
                rows,
                found.size() < limit
                        ? afterTexts(after, "")
                        : Ids.fromBson(found.get(found.size() - 1).get("_id")));
    }

    private static Stream<ShownRow> shown(Document job) {
        String id = Ids.fromBson(job.get("_id"));
        try {
            String key = Fields.required(job, "jobSpecificationKey", String.class);
            History history = Fields.oneOf(job, "history", History.ALL);
            return SpecificationDocument.shownRows(job, id, key).stream().map(row -> new ShownRow(id, history, row));
        } catch (DamagedDocumentException unreadable) {
            return Stream.empty();
        }
    }

    static Page<UnstampedRow> unstampedRows(StoreCollections collections, @Nullable String after, int limit) {
        Bson rest = after == null ? new Document() : rowsAfter(after);
        List<Document> found = Inspection.rows(collections.rows().find(rest), limit);
        List<UnstampedRow> rows = Inspection.unstamped(collections.jobs(), found);
        return new Page<>(rows, found.size() < limit ? afterTexts(after, " 0") : place(found.get(found.size() - 1)));
    }

    /** Id of the job and time; a space stands between them. */
    private static Bson rowsAfter(String place) {
        int gap = place.lastIndexOf(' ');
        Object job = Ids.toBson(place.substring(0, gap));
        Date time = new Date(Long.parseLong(place.substring(gap + 1)));
        return Filters.or(Filters.and(Filters.eq(JOB, job), Filters.lt(TIME, time)), Filters.gt(JOB, job));
    }

    private static String place(Document row) {
        Object time = row.get(TIME);
        return Ids.fromBson(row.get(JOB)) + " "
                + (time instanceof Date date ? date.getTime() : Instant.EPOCH.toEpochMilli());
    }

    private static @Nullable String afterTexts(@Nullable String after, String rest) {
        boolean text =
                after != null && Ids.toBson(after.substring(0, after.length() - timeOf(after, rest))) instanceof String;
        return text ? FIRST_OBJECT_ID + rest : null;
    }

    private static int timeOf(String place, String rest) {
        return rest.isEmpty() ? 0 : place.length() - place.lastIndexOf(' ');
    }
}
