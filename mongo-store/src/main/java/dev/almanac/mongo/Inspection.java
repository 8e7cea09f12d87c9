package dev.almanac.mongo;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.almanac.model.Actor;
import dev.almanac.store.StoreInspection.State;
import dev.almanac.store.StoreInspection.UnstampedRow;
import dev.almanac.store.StoreInspection.Why;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Finds violations of invariants in the stored documents. Each query has a limit. */
final class Inspection {
    private static final int BATCH = 1_000;

    private Inspection() {}

    /** @param indexProblems as {@link Indexes#problems} has them */
    static State inspect(StoreCollections collections, List<String> indexProblems, int limit) {
        List<Document> rows = rows(collections.rows(), limit + 1);
        List<Document> finished = finished(collections.jobs(), limit + 1);
        List<String> withDue = finished.stream()
                .filter(job -> job.get("due") != null)
                .map(job -> text(job, "jobSpecificationKey"))
                .toList();
        return new State(
                indexProblems,
                unstamped(collections.jobs(), rows),
                withDue,
                withoutRow(collections.rows(), finished),
                rows.size() > limit || finished.size() > limit);
    }

    /** Documents in the order of an index, without a filter, so that no more documents are read than the limit. */
    private static List<Document> rows(MongoCollection<Document> rows, int limit) {
        return rows(rows.find(), limit);
    }

    static List<Document> rows(FindIterable<Document> found, int limit) {
        return found.sort(Sorts.orderBy(Sorts.ascending("jobSpecificationId"), Sorts.descending("updatedTime")))
                .projection(Projections.include(
                        "jobSpecificationId",
                        "jobSpecificationKey",
                        "updatedTime",
                        "author",
                        "deleteTime",
                        "executionStatus"))
                .limit(limit)
                .into(new ArrayList<>());
    }

    private static List<Document> finished(MongoCollection<Document> jobs, int limit) {
        return jobs.find(Filters.exists("deleteTime"))
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

    static List<UnstampedRow> unstamped(MongoCollection<Document> jobs, List<Document> rows) {
        List<UnstampedRow> found = new ArrayList<>();
        List<Document> never = new ArrayList<>();
        Map<Object, Instant> replaced = new HashMap<>();
        Document newer = new Document();
        for (Document row : rows) {
            if (row.get("deleteTime") == null) {
                never.add(row);
                if (Objects.equals(newer.get("jobSpecificationId"), row.get("jobSpecificationId"))) {
                    replaced.put(row.get("_id"), time(newer));
                }
            }
            newer = row;
        }
        for (int from = 0; from < never.size(); from += BATCH) {
            List<Document> some = never.subList(from, Math.min(from + BATCH, never.size()));
            Map<Object, Document> jobsOfRows = jobs(jobs, some);
            for (Document row : some) {
                unstamped(row, replaced.get(row.get("_id")), jobsOfRows.get(row.get("jobSpecificationId")))
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<UnstampedRow> unstamped(Document row, @Nullable Instant replaced, @Nullable Document job) {
        boolean failed = "FAILED".equals(row.get("executionStatus"));
        String id = Ids.fromBson(row.get("_id"));
        String key = text(row, "jobSpecificationKey");
        boolean requested = row.get("author") != null;
        if (job == null) {
            return Optional.of(new UnstampedRow(id, key, time(row), failed, Why.ORPHANED, null, requested));
        }
        Instant newest = changed(job);
        if (job.get("deleteTime") instanceof Date deleteTime) {
            return Optional.of(
                    new UnstampedRow(id, key, newest, failed, Why.FINISHED, deleteTime.toInstant(), requested));
        }
        boolean superseded =
                job.get("schedulingSpecification") != null && time(row).isBefore(newest);
        return superseded
                ? Optional.of(new UnstampedRow(
                        id, key, replaced == null ? newest : replaced, failed, Why.SUPERSEDED, null, requested))
                : Optional.empty();
    }

    /** The documents of the jobs of these rows, by id; jobs that are gone are absent. */
    private static Map<Object, Document> jobs(MongoCollection<Document> jobs, List<Document> rows) {
        Set<Object> ids = new HashSet<>();
        rows.forEach(row -> ids.add(row.get("jobSpecificationId")));
        Map<Object, Document> found = new HashMap<>();
        jobs.find(Filters.in("_id", ids))
                .projection(Projections.include("deleteTime", "schedulingSpecification", "lastStatus.updatedTime"))
                .forEach(job -> found.put(job.get("_id"), job));
        return found;
    }

    static boolean removeDamaged(MongoCollection<Document> jobs, String key, Instant deleteTime, Actor by) {
        List<Document> found = jobs.find(Filters.or(
                        Filters.eq("activeKey", key),
                        Filters.and(Filters.eq("jobSpecificationKey", key), Filters.exists("deleteTime", false))))
                .into(new ArrayList<>());
        boolean removed = false;
        for (Document document : found) {
            if (!DocumentReader.jobs(List.of(document)).damaged().isEmpty()) {
                Document update = new Document(
                                "$set",
                                new Document("deleteTime", Date.from(deleteTime)).append("removedBy", by.toString()))
                        .append(
                                "$unset",
                                new Document("due", "")
                                        .append("activeKey", "")
                                        // no change that is on its way finds its revision
                                        .append(Changes.REVISION, "")
                                        .append("lease", "")
                                        .append("runningGroup", ""));
                removed |= jobs.updateOne(Filters.eq("_id", document.get("_id")), update)
                                .getModifiedCount()
                        > 0;
            }
        }
        return removed;
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
