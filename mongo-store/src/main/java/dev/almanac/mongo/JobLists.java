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
import dev.almanac.store.JobList.Place;
import dev.almanac.store.StoreOverview.Counted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Pages of jobs, in the order of their keys; of finished jobs of one key in that of their lives, in which an index has
 * them. Every value is data, never part of a query language.
 */
final class JobLists {
    private static final String FINISHED = "jobSpecificationKey";

    /** The types whose values the server sorts before texts. */
    private static final List<String> BEFORE_TEXTS = List.of("minKey", "undefined", "null", "number");

    private JobLists() {}

    /** @param only a further condition, such as the jobs of the query's state; absent if there is none */
    static JobList page(MongoCollection<Document> jobs, JobQuery query, @Nullable Bson only) {
        String key = key(query);
        String end = end(jobs, query, only, key);
        List<Document> found = new ArrayList<>();
        FindIterable<Document> asked =
                jobs.find().sort(Sorts.ascending(order(key))).limit(query.limit() + 1);
        long bytes = readAhead(asked.filter(filter(query, only, key, end, false)), found);
        if (found.stream().anyMatch(document -> isNoText(document, key))) {
            found.clear();
            bytes = readAhead(asked.filter(filter(query, only, key, end, true)), found);
        }
        int limit = bytes > LargeJobs.MOST_BYTES ? found.size() - 1 : query.limit();
        boolean more = found.size() > limit;
        JobList read = DocumentReader.jobs(more ? found.subList(0, limit) : found);
        return new JobList(
                read.jobs(),
                read.damaged(),
                more ? place(key, found.get(limit - 1), found.get(limit)) : end,
                end != null && found.size() < query.limit() && !more);
    }

    /** How many there are within the window of the query, up to the limit. */
    static Counted count(MongoCollection<Document> jobs, JobQuery query, @Nullable Bson only, int limit) {
        String key = key(query);
        String end = end(jobs, query, only, key);
        return new Counted(
                jobs.countDocuments(filter(query, only, key, end, false), new CountOptions().limit(limit)), end);
    }

    /** Reads documents until the large ones among them are too many bytes for one page; returns how many. */
    static long readAhead(FindIterable<Document> documents, List<Document> found) {
        long bytes = 0;
        try (MongoCursor<Document> cursor = documents.iterator()) {
            while (bytes <= LargeJobs.MOST_BYTES && cursor.hasNext()) {
                found.add(cursor.next());
                bytes += BoundedDocuments.bytes(found.get(found.size() - 1));
            }
        }
        return bytes;
    }

    private static String key(JobQuery query) {
        return query.state() != null && query.state().isFinished() ? FINISHED : "activeKey";
    }

    /** The fields of the index that has the order. */
    private static List<String> order(String key) {
        return key.equals(FINISHED) ? List.of(key, SpecificationDocument.LIFE) : List.of(key);
    }

    /** The place between two documents that follow each other. */
    private static String place(String key, Document last, Document next) {
        String lastKey = DocumentReader.sortedBy(last, key);
        boolean within = lastKey.equals(DocumentReader.sortedBy(next, key));
        return new Place(lastKey, within ? written(last.get(SpecificationDocument.LIFE)) : null).toString();
    }

    /** A life as text; it may be of any type. */
    private static String written(@Nullable Object life) {
        return new Document(SpecificationDocument.LIFE, life).toJson();
    }

    /** What {@link #written} has written; what a user has changed in it is a text, and as such a place, too. */
    private static @Nullable Object life(String written) {
        try {
            return Document.parse(written).get(SpecificationDocument.LIFE);
        } catch (RuntimeException changed) {
            return written;
        }
    }

    /**
     * Of the key of a place the lives before or behind its own, as they are sorted: a comparison by an expression does not
     * end with the kind of its value.
     */
    private static Bson lives(Place place, String compared, String written) {
        Document life = new Document("$literal", life(written));
        return Filters.and(
                Filters.eq(FINISHED, place.key()),
                Filters.expr(new Document(compared, List.of("$" + SpecificationDocument.LIFE, life))));
    }

    /** The last place of the window, off the index alone; absent if the window reaches to the end, or is not needed. */
    private static @Nullable String end(
            MongoCollection<Document> jobs, JobQuery query, @Nullable Bson only, String key) {
        Integer window = query.window();
        if (window == null || only == null && rest(query).isEmpty()) {
            return null;
        }
        FindIterable<Document> asked = jobs.find()
                .sort(Sorts.ascending(order(key)))
                .projection(Projections.fields(Projections.include(order(key)), Projections.excludeId()))
                .skip(window - 1)
                .limit(2);
        List<Document> edge =
                asked.filter(Filters.and(range(query, key, false))).into(new ArrayList<>());
        if (edge.stream().anyMatch(document -> isNoText(document, key))) {
            edge = asked.filter(Filters.and(range(query, key, true))).into(new ArrayList<>());
        }
        return edge.size() < 2 ? null : place(key, edge.get(0), edge.get(1));
    }

    private static boolean isNoText(Document document, String key) {
        return !(document.get(key) instanceof String);
    }

    private static Bson filter(
            JobQuery query, @Nullable Bson only, String key, @Nullable String end, boolean asSorted) {
        List<Bson> parts = range(query, key, asSorted);
        if (end != null) {
            Place last = Place.of(end);
            parts.add(Filters.lte(key, last.key()));
            if (last.job() != null) {
                parts.add(Filters.or(Filters.lt(key, last.key()), lives(last, "$lte", last.job())));
            }
        }
        parts.addAll(rest(query));
        if (only != null) {
            parts.add(only);
        }
        return Filters.and(parts);
    }

    /**
     * The part of the query that the index of the keys answers.
     *
     * @param asSorted whether a list as key, which only a person stores, is found at its place in the order alone, not by
     *     each of its texts; one that sorts before all texts has no place. The index cannot answer that, so it is asked
     *     only where a list was found.
     */
    private static List<Bson> range(JobQuery query, String key, boolean asSorted) {
        List<Bson> parts = new ArrayList<>();
        Place after = Place.of(query.afterKey());
        Bson behind = Filters.gt(key, after.key());
        Bson further = asSorted ? Filters.and(behind, Filters.not(Filters.lte(key, after.key()))) : behind;
        if (after.job() == null) {
            parts.add(further);
        } else {
            Bson lives = lives(after, "$gt", after.job());
            parts.add(Filters.or(
                    further, asSorted ? Filters.and(lives, Filters.not(Filters.lt(key, after.key()))) : lives));
        }
        if (asSorted) {
            parts.add(Filters.not(new Document(key, new Document("$type", BEFORE_TEXTS))));
        }
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
            parts.add(Filters.gte(field, date(from)));
        }
        if (until != null) {
            parts.add(Filters.lt(field, date(until)));
        }
    }

    /** Beyond the moments that the server can store, the first or the last of those. */
    private static Date date(Instant moment) {
        try {
            return Date.from(moment);
        } catch (IllegalArgumentException beyond) {
            return new Date(moment.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE);
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
