package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.store.JobList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
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
        List<Document> documents = jobs.find(filter(query, key))
                .sort(Sorts.ascending(key))
                .limit(query.limit() + 1)
                .into(new ArrayList<>());
        boolean more = documents.size() > query.limit();
        JobList read = Reading.jobs(more ? documents.subList(0, query.limit()) : documents);
        return new JobList(read.jobs(), read.damaged(), more);
    }

    private static Bson filter(JobQuery query, String key) {
        List<Bson> parts = new ArrayList<>();
        parts.add(Filters.gt(key, query.afterKey() == null ? "" : query.afterKey()));
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
        return Filters.and(parts);
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
