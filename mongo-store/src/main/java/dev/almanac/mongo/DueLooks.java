package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Looks for due jobs on the hot index. The server merges the index's partition x type points by due as long as there
 * are at most 200 of them, so larger sets are asked in parts. Claims leave dead index entries behind that a look has
 * to pass; a lower bound on {@code due}, taken from the look before, spares most of them, and once a second a look
 * goes without it, so that nothing stays unseen.
 */
final class DueLooks {
    static final int MOST_POINTS = 200;
    private static final Duration SLACK = Duration.ofSeconds(10);
    private static final long BOUND_FOR_NANOS = 1_000_000_000L;
    private static final int URGENT = 4;
    private static final Bson FIELDS = Projections.include("due", "prio", "p", "type");

    private final MongoCollection<Document> jobs;
    private final Map<Set<Integer>, Mark> marks = new ConcurrentHashMap<>();

    private record Mark(Instant smallest, long nanos) {}

    DueLooks(MongoCollection<Document> jobs) {
        this.jobs = jobs;
    }

    List<DueJob> look(DueQuery query) {
        if (query.types().isEmpty() || query.partitions().isEmpty()) {
            return List.of();
        }
        List<DueJob> found = new ArrayList<>();
        Date low = lowWater(query);
        int typesAtOnce = Math.max(1, MOST_POINTS / query.partitions().size());
        List<String> types = List.copyOf(query.types());
        for (int from = 0; from < types.size(); from += typesAtOnce) {
            List<String> some = types.subList(from, Math.min(types.size(), from + typesAtOnce));
            find(filter(query, some, low), Indexes.DUE, query.limit(), found);
        }
        found.sort(Comparator.comparing(DueJob::due));
        boolean full = found.size() >= query.limit();
        List<DueJob> first = full ? found.subList(0, query.limit()) : found;
        if (low == null) {
            Instant smallest = first.isEmpty() ? query.until() : first.get(0).due();
            Instant bound = query.until().minus(SLACK);
            marks.put(query.partitions(), new Mark(smallest.isBefore(bound) ? smallest : bound, System.nanoTime()));
        }
        return full && query.minPriority() < URGENT ? withUrgent(query, first) : first;
    }

    private @Nullable Date lowWater(DueQuery query) {
        Mark mark = marks.get(query.partitions());
        return mark == null || System.nanoTime() - mark.nanos() > BOUND_FOR_NANOS ? null : Date.from(mark.smallest());
    }

    /** More is due than the look shows: urgent jobs are not to wait behind it (rule R9). */
    private List<DueJob> withUrgent(DueQuery query, List<DueJob> found) {
        List<DueJob> urgent = new ArrayList<>();
        Bson filter = Filters.and(
                Filters.lt("prio", URGENT),
                Filters.gte("prio", query.minPriority()),
                Filters.lte("due", Date.from(query.until())),
                Filters.in("p", query.partitions()),
                Filters.in("type", query.types()));
        find(filter, Indexes.URGENT, query.limit(), urgent);
        Map<String, DueJob> all = new LinkedHashMap<>();
        urgent.forEach(job -> all.put(job.id(), job));
        found.forEach(job -> all.putIfAbsent(job.id(), job));
        return List.copyOf(all.values());
    }

    private static Bson filter(DueQuery query, List<String> types, @Nullable Date low) {
        List<Bson> parts = new ArrayList<>(List.of(
                Filters.in("p", query.partitions()),
                Filters.in("type", types),
                Filters.lte("due", Date.from(query.until()))));
        if (low != null) {
            parts.add(Filters.gte("due", low));
        }
        if (query.minPriority() > 0 || query.maxPriority() < 7) {
            parts.add(Filters.gte("prio", query.minPriority()));
            parts.add(Filters.lte("prio", query.maxPriority()));
        }
        return Filters.and(parts);
    }

    private void find(Bson filter, String index, int limit, List<DueJob> into) {
        jobs.find(filter)
                .hintString(index)
                .sort(Sorts.ascending("due"))
                .limit(limit)
                .batchSize(limit)
                .projection(FIELDS)
                .forEach(document -> into.add(new DueJob(
                        Ids.fromBson(document.get("_id")),
                        document.getDate("due").toInstant(),
                        ((Number) document.get("prio")).intValue(),
                        ((Number) document.get("p")).intValue(),
                        document.getString("type"))));
    }
}
