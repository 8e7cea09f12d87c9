package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.store.JobList;
import dev.almanac.store.PageMark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Pages of jobs, in the order of their keys. Every value is data, never part of a query language. */
final class JobLists {
    private JobLists() {}

    static JobList page(MongoCollection<Document> jobs, JobQuery query) {
        ExecutionStatus status = query.status();
        boolean finished = status != null && status != ExecutionStatus.SCHEDULED;
        String key = finished ? "jobSpecificationKey" : "activeKey";
        List<Document> documents = finished ? ofAnyAge(jobs, query) : find(jobs, query, key, query.limit() + 1);
        boolean more = documents.size() > query.limit();
        JobList read = Reading.jobs(more ? documents.subList(0, query.limit()) : documents);
        return new JobList(read.jobs(), read.damaged(), more, more ? splitAt(documents, query.limit(), key) : null);
    }

    private static List<Document> find(MongoCollection<Document> jobs, JobQuery query, String key, int limit) {
        Bson after = Filters.gt(key, PageMark.of(query).key());
        return jobs.find(Filters.and(after, filter(query, key)))
                .sort(Sorts.ascending(key))
                .limit(limit)
                .into(new ArrayList<>());
    }

    /** A key may have many documents, which an index of keys does not order: where a page is cut, they are read by id. */
    private static List<Document> ofAnyAge(MongoCollection<Document> jobs, JobQuery query) {
        String key = "jobSpecificationKey";
        PageMark mark = PageMark.of(query);
        int wanted = query.limit() + 1;
        List<Document> found = new ArrayList<>();
        if (mark.id() != null) {
            found.addAll(ofKey(jobs, query, mark.key(), Filters.gt("_id", Ids.toBson(mark.id())), wanted));
        }
        if (found.size() == wanted) {
            return found;
        }
        found.addAll(find(jobs, query, key, wanted - found.size()));
        if (found.size() == wanted) {
            Object cut = found.get(query.limit()).get(key);
            found.removeIf(job -> Objects.equals(job.get(key), cut));
            found.addAll(ofKey(jobs, query, cut, Filters.empty(), wanted - found.size()));
        }
        return found;
    }

    private static List<Document> ofKey(
            MongoCollection<Document> jobs, JobQuery query, @Nullable Object key, Bson which, int limit) {
        Bson ofKey = Filters.eq("jobSpecificationKey", key);
        return jobs.find(Filters.and(ofKey, which, filter(query, "jobSpecificationKey")))
                .sort(Sorts.ascending("_id"))
                .limit(limit)
                .into(new ArrayList<>());
    }

    private static @Nullable String splitAt(List<Document> documents, int limit, String key) {
        Document last = documents.get(limit - 1);
        boolean split = Objects.equals(last.get(key), documents.get(limit).get(key));
        return split ? Ids.fromBson(last.get("_id")) : null;
    }

    private static Bson filter(JobQuery query, String key) {
        List<Bson> parts = new ArrayList<>();
        if (query.keyPrefix() != null && !query.keyPrefix().isEmpty()) {
            parts.add(Filters.gte(key, query.keyPrefix()));
            String beyond = successor(query.keyPrefix());
            if (beyond != null) {
                parts.add(Filters.lt(key, beyond));
            }
        }
        equal(parts, "jobRequestor", query.jobRequestor());
        equal(parts, "tags", query.tag());
        equal(parts, "applicationTag", query.applicationTag());
        equal(parts, "type", query.commandType());
        equal(parts, "calendars", query.calendar());
        equal(parts, Changes.GROUP, query.runningGroup());
        equal(
                parts,
                "lastStatus.executionStatus",
                query.status() == null ? null : query.status().name());
        nextFire(parts, query);
        return parts.isEmpty() ? Filters.empty() : Filters.and(parts);
    }

    private static void nextFire(List<Bson> parts, JobQuery query) {
        Instant from = query.nextFireFrom();
        if (from != null) {
            parts.add(Filters.gte("nextFireTime", Date.from(from)));
        }
        Instant until = query.nextFireUntil();
        if (until != null) {
            parts.add(Filters.lt("nextFireTime", Date.from(until)));
        }
    }

    /**
     * The least text that sorts after every text with this prefix; absent if there is none. The server compares by
     * code points, so the last one that can be raised is raised.
     */
    static @Nullable String successor(String prefix) {
        int[] points = prefix.codePoints().toArray();
        for (int last = points.length - 1; last >= 0; last--) {
            if (points[last] < Character.MAX_CODE_POINT) {
                // surrogates are no characters: the one before them is followed by the one after them
                points[last] =
                        points[last] == Character.MIN_SURROGATE - 1 ? Character.MAX_SURROGATE + 1 : points[last] + 1;
                return new String(points, 0, last + 1);
            }
        }
        return null;
    }

    private static void equal(List<Bson> parts, String field, @Nullable String value) {
        if (value != null) {
            parts.add(Filters.eq(field, value));
        }
    }
}
