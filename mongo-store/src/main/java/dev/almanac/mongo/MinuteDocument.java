package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BsonField;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import dev.almanac.model.Outcome;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.store.RunCounts;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What nodes have run, minute by minute. A command type may hold dots, so types are values of a list. */
final class MinuteDocument {
    private static final Logger LOG = LoggerFactory.getLogger(MinuteDocument.class);
    private static final Duration KEPT = Duration.ofDays(7);
    private static final int MOST = 100_000;
    private static final List<String> COUNTED = List.of("late", "missed", "tooLate");
    /** What counts as failed fires in the report of an older node, which does not number them. */
    private static final List<Outcome> FAILED =
            List.of(Outcome.RETRIES_EXHAUSTED, Outcome.NON_RETRYABLE, Outcome.CRASHED, Outcome.EXPIRED);
    /** A list, which only a person stores, is no type. */
    private static final Bson ONE_TYPE = Document.parse("{$expr: {$eq: [{$type: '$types.type'}, 'string']}}");

    private static final int MOST_BUCKETS = 64;
    private static final long MOST_RUNS = 1_000_000_000_000L;

    private MinuteDocument() {}

    static void add(MongoCollection<Document> minutes, MinuteReport minute) {
        Document id = new Document("minute", Date.from(minute.minute())).append("node", minute.node());
        minutes.replaceOne(Filters.eq("_id", id), of(minute, id), new ReplaceOptions().upsert(true));
    }

    private static Document of(MinuteReport minute, Document id) {
        List<Document> types = new ArrayList<>();
        new TreeMap<>(minute.types())
                .forEach((type, of) -> types.add(new Document("type", type)
                        .append("outcomes", new Document(new TreeMap<>(of.outcomes())))
                        .append("failed", of.failed())
                        .append("retries", of.retries())
                        .append("late", of.late())
                        .append("missed", of.missed())
                        .append("tooLate", of.tooLate())
                        .append("lateness", of.lateness().counts())
                        .append("worst", of.lateness().worst().toString())));
        Document document = new Document("_id", id).append("types", types).append("missed", minute.missed());
        Fields.put(document, "deleteTime", minute.minute().plus(KEPT));
        return document;
    }

    static List<MinuteReport> since(MongoCollection<Document> minutes, Instant since) {
        List<MinuteReport> found = new ArrayList<>();
        Document from = new Document("minute", Date.from(since));
        minutes.find(Filters.gte("_id", from))
                .sort(Sorts.ascending("_id"))
                .limit(MOST)
                .forEach(document -> readable(document).ifPresent(found::add));
        return found;
    }

    /** Counted by the server, since a day has 1 440 of them for each node. */
    static long missed(MongoCollection<Document> minutes, Instant since) {
        Bson from = Filters.gte("_id", new Document("minute", Date.from(since)));
        Bson number = Filters.and(Filters.gte("missed", 0), Filters.lte("missed", MOST_RUNS));
        Document sum = minutes.aggregate(List.of(
                        Aggregates.match(Filters.and(from, number)),
                        Aggregates.limit(MOST),
                        Aggregates.group(null, Accumulators.sum("missed", "$missed"))))
                .first();
        return sum == null ? 0 : sum(sum, "missed");
    }

    /** Added up by the server: a day of ten nodes and a hundred types has a million counts. */
    static RunCounts counts(MongoCollection<Document> minutes, Instant from, Instant until, Duration slice) {
        Bson within = Filters.and(
                Filters.gte("_id", new Document("minute", Date.from(from))),
                Filters.lt("_id", new Document("minute", Date.from(until))));
        Document since = new Document("$subtract", List.of("$_id.minute", Date.from(from)));
        Document number = new Document("$floor", new Document("$divide", List.of(since, slice.toMillis())));
        List<BsonField> sums = new ArrayList<>();
        COUNTED.forEach(field -> sums.add(Accumulators.sum(field, "$types." + field)));
        List<String> byName = FAILED.stream()
                .map(outcome -> "$types.outcomes." + outcome.name())
                .toList();
        sums.add(Accumulators.sum(
                "failed", new Document("$ifNull", List.of("$types.failed", new Document("$sum", byName)))));
        for (Outcome outcome : Outcome.values()) {
            sums.add(Accumulators.sum(outcome.name(), "$types.outcomes." + outcome.name()));
        }
        List<RunCounts.Slice> slices = new ArrayList<>();
        minutes.aggregate(List.of(
                        Aggregates.match(within),
                        Aggregates.sort(Sorts.ascending("_id")),
                        Aggregates.limit(MOST),
                        Aggregates.unwind("$types"),
                        Aggregates.match(ONE_TYPE),
                        Aggregates.group(new Document("type", "$types.type").append("slice", number), sums)))
                .forEach(found -> slices.add(slice(found, from, slice)));
        Document beyond = minutes.find(within)
                .sort(Sorts.ascending("_id"))
                .skip(MOST)
                .projection(Projections.include("_id"))
                .first();
        return new RunCounts(
                slices,
                beyond == null ? null : Fields.instant(Fields.required(beyond, "_id", Document.class), "minute"));
    }

    private static RunCounts.Slice slice(Document found, Instant from, Duration slice) {
        Document id = Fields.required(found, "_id", Document.class);
        Map<String, Long> outcomes = new HashMap<>();
        for (Outcome outcome : Outcome.values()) {
            long count = sum(found, outcome.name());
            if (count > 0) {
                outcomes.put(outcome.name(), count);
            }
        }
        return new RunCounts.Slice(
                Fields.required(id, "type", String.class),
                from.plus(slice.multipliedBy(((Number) id.get("slice")).longValue())),
                outcomes,
                sum(found, "failed"),
                sum(found, "late"),
                sum(found, "missed"),
                sum(found, "tooLate"));
    }

    /** What was damaged by hand is no number of runs. */
    private static long sum(Document found, String field) {
        return found.get(field) instanceof Number number ? Math.max(0, number.longValue()) : 0;
    }

    /** A document that was damaged by hand must not hide the other minutes. */
    private static Optional<MinuteReport> readable(Document document) {
        try {
            return Optional.of(read(document));
        } catch (RuntimeException e) {
            LOG.warn(
                    "the report of the minute '{}' cannot be read and is left out: {}",
                    Printable.value(document.get("_id")),
                    Printable.value(e));
            return Optional.empty();
        }
    }

    private static MinuteReport read(Document from) {
        Document id = Fields.required(from, "_id", Document.class);
        Map<String, MinuteReport.OfType> types = new HashMap<>();
        for (Document type : from.getList("types", Document.class, List.of())) {
            types.put(Fields.required(type, "type", String.class), type(type));
        }
        return new MinuteReport(
                Fields.required(id, "node", String.class),
                Objects.requireNonNull(Fields.instant(id, "minute")),
                types,
                Fields.number(from, "missed"));
    }

    private static MinuteReport.OfType type(Document from) {
        Map<String, Long> outcomes = new HashMap<>();
        Document counted = Fields.required(from, "outcomes", Document.class);
        counted.keySet().forEach(outcome -> outcomes.put(outcome, Fields.number(counted, outcome)));
        List<Long> lateness = from.getList("lateness", Number.class, List.of()).stream()
                .map(Number::longValue)
                .toList();
        if (lateness.size() > MOST_BUCKETS || lateness.stream().anyMatch(count -> count < 0 || count > MOST_RUNS)) {
            throw new DamagedDocumentException("field 'lateness' holds no counts");
        }
        Duration worst = Objects.requireNonNullElse(Fields.duration(from, "worst"), Duration.ZERO);
        return new MinuteReport.OfType(
                outcomes,
                from.get("failed") == null ? failedByName(outcomes) : Fields.number(from, "failed"),
                Fields.number(from, "retries"),
                Fields.number(from, "late"),
                Fields.number(from, "missed"),
                Fields.number(from, "tooLate"),
                new LatenessCounts(lateness, worst));
    }

    private static long failedByName(Map<String, Long> outcomes) {
        return FAILED.stream()
                .mapToLong(outcome -> outcomes.getOrDefault(outcome.name(), 0L))
                .sum();
    }
}
