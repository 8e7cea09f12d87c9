package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.almanac.model.Actor;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.StoreInspection.Removal;
import dev.almanac.store.StoreInspection.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;
import org.bson.conversions.Bson;

/** Finds violations of invariants in the stored documents. Each query has a limit. */
final class Inspection {
    private static final int BATCH = 1_000;

    /** A lease that has not ended, by the server's clock; a damaged one has no end. */
    private static final Bson LEASED = Document.parse("""
        {$expr: {$and: [{$eq: [{$type: '$lease.until'}, 'date']}, {$gt: ['$lease.until', '$$NOW']}]}}\
        """);

    private Inspection() {}

    static State inspect(StoreCollections collections, Schema schema, int limit) {
        List<Document> found = finished(collections.jobs(), limit + 1);
        List<Document> finished = found.subList(0, Math.min(limit, found.size()));
        List<String> withDue = finished.stream()
                .filter(job -> job.get("due") != null)
                .map(job -> text(job, "jobSpecificationKey"))
                .toList();
        return new State(
                schema.indexProblems(),
                schema.foreign(),
                withDue,
                withoutRow(collections.rows(), finished),
                found.size() > limit);
    }

    private static List<Document> finished(MongoCollection<Document> jobs, int limit) {
        return jobs.find(Filters.and(JobStateFilter.present("deleteTime"), DocumentReader.KEPT))
                .sort(Sorts.ascending("deleteTime"))
                .projection(Projections.include("jobSpecificationKey", "due", "lastStatus.id"))
                .limit(limit)
                .into(new ArrayList<>());
    }

    /**
     * Ids of the jobs whose newest row is missing; a document without {@code lastStatus} is damaged, and not returned.
     */
    private static List<String> withoutRow(MongoCollection<Document> rows, List<Document> jobs) {
        Map<String, String> byRow = new HashMap<>();
        for (Document job : jobs) {
            if (job.get("lastStatus") instanceof Document last && last.get("id") instanceof String row) {
                String id = Ids.fromBson(job.get("_id"));
                byRow.put(Ids.longRow(row, id), id);
            }
        }
        List<String> found = new ArrayList<>();
        List<String> ids = List.copyOf(byRow.keySet());
        for (int from = 0; from < ids.size(); from += BATCH) {
            missing(rows, ids.subList(from, Math.min(from + BATCH, ids.size())))
                    .forEach(row -> found.add(byRow.get(row)));
        }
        return found;
    }

    static Removal removeDamaged(MongoCollection<Document> jobs, String key, Instant deleteTime, Actor by) {
        List<Document> found = jobs.find(Filters.or(
                        Filters.eq("activeKey", key),
                        Filters.and(Filters.eq("jobSpecificationKey", key), JobStateFilter.absent("deleteTime"))))
                .into(new ArrayList<>());
        List<Document> damaged = new ArrayList<>();
        for (Document document : found) {
            List<DamagedJob> damage = DocumentReader.jobs(List.of(document)).damaged();
            if (damage.stream().anyMatch(DamagedJob::readableElsewhere)) {
                return Removal.READABLE_ELSEWHERE;
            }
            if (!damage.isEmpty()) {
                damaged.add(document);
            }
        }
        List<Object> ids = damaged.stream().map(document -> document.get("_id")).toList();
        if (jobs.find(Filters.and(Filters.in("_id", ids), LEASED)).first() != null) {
            return Removal.LEASED;
        }
        long removed = damaged.stream()
                .filter(document -> isRemoved(jobs, document, deleteTime, by))
                .count();
        return removed > 0 ? Removal.REMOVED : Removal.NOT_FOUND;
    }

    private static boolean isRemoved(MongoCollection<Document> jobs, Document document, Instant deleteTime, Actor by) {
        Document update = new Document(
                        "$set",
                        new Document("deleteTime", Date.from(deleteTime))
                                .append(DocumentReader.REMOVED_BY, by.toString()))
                .append(
                        "$unset",
                        new Document("due", "")
                                .append("activeKey", "")
                                // no change that is on its way finds its revision
                                .append(Changes.REVISION, "")
                                .append("lease", "")
                                .append(Changes.GROUP, "")
                                // open failures are counted by the index of this field alone
                                .append(SpecificationDocument.FAILURES, ""));
        // it may have been mended since it was read
        Bson asRead = Filters.and(
                Filters.eq("_id", document.get("_id")), Filters.eq(Changes.REVISION, document.get(Changes.REVISION)));
        return jobs.updateOne(Filters.and(asRead, Filters.nor(LEASED)), update).getModifiedCount() > 0;
    }

    static Set<String> missing(MongoCollection<Document> rows, Collection<String> rowIds) {
        Set<String> missing = new HashSet<>(rowIds);
        rows.find(Filters.in("_id", rowIds))
                .projection(Projections.include("_id"))
                .forEach(row -> missing.remove(Ids.fromBson(row.get("_id"))));
        return missing;
    }

    private static String text(Document document, String field) {
        return String.valueOf(document.get(field));
    }

    /** When a job was changed last, as its document shows it. */
    static Instant changed(Document job) {
        return job.get("lastStatus") instanceof Document last ? time(last) : Instant.EPOCH;
    }

    /** A row without a time that can be read is old. */
    private static Instant time(Document row) {
        return row.get("updatedTime") instanceof Date date ? date.toInstant() : Instant.EPOCH;
    }
}
