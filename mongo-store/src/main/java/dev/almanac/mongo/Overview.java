package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.almanac.store.DueCounts;
import dev.almanac.store.DueCounts.Slice;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Counts and lists over the hot index. A bound on {@code due} without one on the type makes the server leap from type to
 * type within a partition, so that no list of types is needed: it passes over one key for each pair of the two.
 */
final class Overview {
    /** So many documents are read at most to find those with a lease. */
    private static final int MOST_LOOKED_AT = 10_000;

    /** Bounds of a look for types. */
    private static final int MOST_OF_TYPES = 1_000;

    private static final int MOST_QUERIES = 10;

    private Overview() {}

    static List<StoredJob> running(
            MongoCollection<Document> jobs, Set<Integer> partitions, Instant now, Duration horizon, int limit) {
        List<Bson> stages = List.of(
                Aggregates.match(Filters.and(
                        Filters.in("p", partitions),
                        Filters.gt("due", Date.from(now)),
                        Filters.lte("due", Date.from(now.plus(horizon))))),
                Aggregates.limit(MOST_LOOKED_AT),
                Aggregates.match(
                        Filters.and(Filters.gt("lease.until", Date.from(now)), JobStateFilter.absent("deleteTime"))),
                Aggregates.sort(Sorts.ascending("nextFireTime")),
                Aggregates.limit(limit),
                Aggregates.project(Projections.include("_id")));
        return inOrder(
                jobs,
                byDueIndex(jobs, stages).stream().map(found -> found.get("_id")).toList());
    }

    /** These jobs, as many of them as fit into memory together. */
    private static List<StoredJob> inOrder(MongoCollection<Document> jobs, List<Object> ids) {
        Map<Object, Document> found = new HashMap<>();
        List<Document> read = new ArrayList<>();
        JobLists.readAhead(jobs.find(Filters.in("_id", ids)), read);
        read.forEach(document -> found.put(document.get("_id"), document));
        return DocumentReader.jobs(
                        ids.stream().map(found::get).filter(Objects::nonNull).toList())
                .jobs();
    }

    /**
     * Types of due jobs, beside the known ones, off the index alone. If more jobs of a type are due than one query
     * counts, the next one leaves that type out.
     */
    static Set<String> otherDueTypes(
            MongoCollection<Document> jobs, Set<Integer> partitions, Set<String> known, Instant until) {
        Set<String> found = new HashSet<>();
        boolean more = true;
        for (int i = 0; i < MOST_QUERIES && more; i++) {
            Set<String> left = new HashSet<>(known);
            left.addAll(found);
            List<Bson> stages = List.of(
                    Aggregates.match(Filters.and(
                            Filters.in("p", partitions),
                            // texts, and what damaged documents have there that contains some
                            Filters.gte("type", ""),
                            Filters.nin("type", left),
                            Filters.lte("due", Date.from(until)))),
                    Aggregates.limit(MOST_OF_TYPES),
                    Aggregates.group("$type", Accumulators.sum("jobs", 1L)));
            long counted = 0;
            for (Document type : byDueIndex(jobs, stages)) {
                if (type.get("_id") instanceof String name) {
                    found.add(name);
                }
                counted += type.getLong("jobs");
            }
            more = counted >= MOST_OF_TYPES;
        }
        return found;
    }

    private static List<Document> byDueIndex(MongoCollection<Document> jobs, List<Bson> stages) {
        return Indexes.ask(
                Indexes.DUE,
                true,
                hint -> jobs.aggregate(stages).hintString(hint).into(new ArrayList<>()));
    }

    static DueCounts dueCounts(
            MongoCollection<Document> jobs, int partitions, Instant from, Instant until, Duration slice, int limit) {
        List<Slice> all = slices(jobs, all(partitions), from, until, slice, limit);
        DueCounts counted = new DueCounts(all, 1, false);
        if (counted.jobs() < limit) {
            return counted;
        }
        // keys are spread over the partitions by their hash: one of them stands for all
        List<Slice> one = slices(jobs, Set.of(0), from, until, slice, limit);
        long found = one.stream().mapToLong(Slice::jobs).sum();
        List<Slice> times = one.stream()
                .map(s -> new Slice(s.type(), s.start(), s.jobs() * partitions, s.earliest()))
                .toList();
        return new DueCounts(times, partitions, found >= limit);
    }

    /** Neither stage needs more than the index has, so no document is read. */
    private static List<Slice> slices(
            MongoCollection<Document> jobs,
            Set<Integer> partitions,
            Instant from,
            Instant until,
            Duration slice,
            int limit) {
        Document since = new Document("$subtract", List.of("$due", Date.from(from)));
        Document number = new Document("$floor", new Document("$divide", List.of(since, slice.toMillis())));
        List<Bson> stages = List.of(
                Aggregates.match(Filters.and(
                        Filters.in("p", partitions),
                        Filters.gte("due", Date.from(from)),
                        Filters.lt("due", Date.from(until)))),
                Aggregates.limit(limit),
                Aggregates.project(Projections.fields(
                        Projections.include("type"),
                        Projections.computed("due", momentWithin(from, until)),
                        Projections.excludeId())),
                Aggregates.group(
                        new Document("type", "$type").append("slice", number),
                        Accumulators.sum("jobs", 1L),
                        Accumulators.min("earliest", "$due")));
        return byDueIndex(jobs, stages).stream()
                .map(found -> slice(found, from, slice))
                .toList();
    }

    /**
     * The {@code due} of a document that was found for this span. A list, which only a person stores, was found by some of
     * its items: the first moment of it in the span counts, or the beginning of the span if there is none.
     */
    private static Document momentWithin(Instant from, Instant until) {
        Document isWithin = new Document(
                "$and",
                List.of(
                        new Document("$gte", List.of("$$this", Date.from(from))),
                        new Document("$lt", List.of("$$this", Date.from(until)))));
        Document within = new Document("$filter", new Document("input", "$due").append("cond", isWithin));
        Document first = new Document("$ifNull", List.of(new Document("$min", within), Date.from(from)));
        return new Document("$cond", List.of(new Document("$isArray", "$due"), first, "$due"));
    }

    private static Slice slice(Document found, Instant from, Duration slice) {
        Document id = found.get("_id", Document.class);
        long number = ((Number) id.get("slice")).longValue();
        return new Slice(
                String.valueOf(id.get("type")),
                from.plus(slice.multipliedBy(number)),
                ((Number) found.get("jobs")).longValue(),
                found.getDate("earliest").toInstant());
    }

    static List<StoredJob> earliestDue(
            StoreCollections collections, DueLooks looks, int partitions, Set<String> types, Instant until, int limit) {
        return inOrder(
                collections.jobs(),
                looks.look(new DueQuery(types, Set.of(), all(partitions), 0, 7, until, limit)).stream()
                        .sorted(Comparator.comparing(DueJob::due))
                        .map(due -> Ids.toBson(due.id()))
                        .toList());
    }

    static long failures(MongoCollection<Document> rows, Instant from, int limit) {
        Bson failed = RowLists.failures(new RowQuery.Span(from, null));
        return Indexes.ask(
                Indexes.FAILED_ROWS,
                true,
                hint -> rows.countDocuments(
                        failed, new CountOptions().limit(limit).hintString(hint)));
    }

    static Set<Integer> all(int partitions) {
        return IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet());
    }
}
