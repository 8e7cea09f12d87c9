package dev.almanac.mongo;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.almanac.model.JobQuery;
import dev.almanac.store.GroupSlots;
import dev.almanac.store.JobList;
import dev.almanac.store.StoreOverview.Counted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Pages of jobs, in the order of their keys. Every value is data, never part of a query language. */
final class JobLists {
    /** The largest number of documents of one key in a page. */
    private static final int MOST_OF_A_KEY = 10_000;

    private JobLists() {}

    /** @param only a further condition, such as the jobs of the query's state; absent if there is none */
    static JobList page(MongoCollection<Document> jobs, JobQuery query, @Nullable Bson only) {
        String key = key(query);
        String end = end(jobs, query, only, key);
        Bson filter = filter(query, only, key, end);
        List<Document> found = new ArrayList<>();
        long bytes = readAhead(jobs.find(filter).sort(Sorts.ascending(key)).limit(query.limit() + 1), found);
        int limit = bytes > LargeJobs.MOST_BYTES ? found.size() - 1 : query.limit();
        JobList read = DocumentReader.jobs(page(jobs, filter, key, found, limit));
        String last = found.size() > limit ? found.get(limit - 1).getString(key) : end;
        return new JobList(read.jobs(), read.damaged(), last);
    }

    /** How many there are within the window of the query, up to the limit. */
    static Counted count(MongoCollection<Document> jobs, JobQuery query, @Nullable Bson only, int limit) {
        String key = key(query);
        String end = end(jobs, query, only, key);
        return new Counted(jobs.countDocuments(filter(query, only, key, end), new CountOptions().limit(limit)), end);
    }

    /** Reads documents until the large ones among them are too many bytes for one page; returns how many. */
    private static long readAhead(FindIterable<Document> documents, List<Document> found) {
        long bytes = 0;
        try (MongoCursor<Document> cursor = documents.iterator()) {
            while (bytes <= LargeJobs.MOST_BYTES && cursor.hasNext()) {
                found.add(cursor.next());
                bytes += BoundedDocuments.bytes(found.get(found.size() - 1));
            }
        }
        return bytes;
    }

    /** A page begins behind a key, so all finished jobs of the last key belong to this one. */
    private static List<Document> page(
            MongoCollection<Document> jobs, Bson filter, String key, List<Document> found, int limit) {
        if (found.size() <= limit) {
            return found;
        }
        String last = found.get(limit - 1).getString(key);
        List<Document> page = new ArrayList<>(found.subList(0, limit));
        if (last.equals(found.get(limit).getString(key))) {
            page.removeIf(document -> last.equals(document.getString(key)));
            jobs.find(Filters.and(filter, Filters.eq(key, last)))
                    .limit(MOST_OF_A_KEY)
                    .into(page);
        }
        return page;
    }

    private static String key(JobQuery query) {
        return query.state() != null && query.state().isFinished() ? "jobSpecificationKey" : "activeKey";
    }

    /** The last key of the window, off the index alone; absent if the window reaches to the end, or is not needed. */
    private static @Nullable String end(
            MongoCollection<Document> jobs, JobQuery query, @Nullable Bson only, String key) {
        Integer window = query.window();
        if (window == null || only == null && rest(query).isEmpty()) {
            return null;
        }
        List<Document> edge = jobs.find(Filters.and(range(query, key)))
                .sort(Sorts.ascending(key))
                .projection(Projections.fields(Projections.include(key), Projections.excludeId()))
                .skip(window - 1)
                .limit(2)
                .into(new ArrayList<>());
        return edge.size() < 2 ? null : edge.get(0).getString(key);
    }

    private static Bson filter(JobQuery query, @Nullable Bson only, String key, @Nullable String end) {
        List<Bson> parts = range(query, key);
        if (end != null) {
            parts.add(Filters.lte(key, end));
        }
        parts.addAll(rest(query));
        if (only != null) {
            parts.add(only);
        }
        return Filters.and(parts);
    }

    /** The part of the query that the index of the keys answers. */
    private static List<Bson> range(JobQuery query, String key) {
        List<Bson> parts = new ArrayList<>();
        parts.add(Filters.gt(key, query.afterKey() == null ? "" : query.afterKey()));
        if (query.keyPrefix() != null && !query.keyPrefix().isEmpty()) {
            parts.add(Filters.gte(key, query.keyPrefix()));
            String beyond = successor(query.keyPrefix());
            if (beyond != null) {
                parts.add(Filters.lt(key, beyond));
            }
        }
        return parts;
    }

    /** The part of the query that needs the documents. */
    private static List<Bson> rest(JobQuery query) {
        List<Bson> parts = new ArrayList<>();
        equal(parts, "jobRequestor", query.jobRequestor());
        equal(parts, "tags", query.tag());
        equal(parts, "applicationTag", query.applicationTag());
        equal(parts, "triggerCommand.type", query.commandType());
        if (query.calendar() != null) {
            parts.add(Filters.or(
                    Filters.eq("calendars", query.calendar()), Filters.eq("followUpCalendars", query.calendar())));
        }
        String group = query.runningGroup();
        if (group != null) {
            parts.add(Filters.gte(Changes.GROUP, group));
            parts.add(Filters.lt(Changes.GROUP, GroupSlots.beyond(group)));
        }
        within(parts, "nextFireTime", query.nextFireFrom(), query.nextFireUntil());
        return parts;
    }

    /** @param until exclusive */
    static void within(List<Bson> parts, String field, @Nullable Instant from, @Nullable Instant until) {
        if (from != null) {
            parts.add(Filters.gte(field, Date.from(from)));
        }
        if (until != null) {
            parts.add(Filters.lt(field, Date.from(until)));
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
