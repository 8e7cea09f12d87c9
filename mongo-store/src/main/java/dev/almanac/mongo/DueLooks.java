package dev.almanac.mongo;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.Needs;
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
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Looks for due jobs on the hot index. The server merges the index's partition x type points by due as long as there
 * are at most 200 of them, so larger sets are asked in parts. Claims leave dead index entries behind that a look has to
 * pass; a lower bound on {@code due}, taken from an earlier look at the same, spares most of them. There is a bound for
 * each kind of look. Once a second, by the clock of the looking node, it is not used, so that no job is overlooked for
 * longer.
 */
final class DueLooks {
    static final int MOST_POINTS = 200;
    private static final Duration SLACK = Duration.ofSeconds(10);
    private static final Duration BOUND_FOR = Duration.ofSeconds(1);
    private static final int STANDARD = 4;
    private static final int MOST_MARKS = 64;
    private static final String SIZE = "bytes";
    private static final Bson FIELDS = Projections.fields(
            Projections.include("due", "prio", "p", "type", "exclusiveGroup", Changes.GROUP),
            Projections.computed(SIZE, new Document("$bsonSize", "$$ROOT")));

    /** Leaves out jobs with needs that this version does not support; newer nodes claim them (rule X6). */
    static final Document KNOWN_NEEDS =
            new Document("$not", new Document("$elemMatch", new Document("$nin", List.copyOf(Needs.known()))));

    private final MongoCollection<Document> jobs;
    private final boolean forPeople;
    private final LargeJobs sizes;
    private final Consumer<Document> unreadable;
    private final Map<Scope, Mark> marks = new ConcurrentHashMap<>();

    /** The look for which a bound holds; looks for other types may find older jobs. */
    private record Scope(
            Set<Integer> partitions,
            Set<String> types,
            Set<String> exceptTags,
            Set<String> exceptGroups,
            int minPriority,
            int maxPriority,
            boolean anyNeeds) {
        static Scope of(DueQuery query) {
            return new Scope(
                    Set.copyOf(query.partitions()),
                    Set.copyOf(query.types()),
                    Set.copyOf(query.exceptTags()),
                    Set.copyOf(query.exceptGroups()),
                    query.minPriority(),
                    query.maxPriority(),
                    query.anyNeeds());
        }
    }

    /** @param until the end of the look that it was taken from: how much time has passed since, by the asker's clock */
    private record Mark(Instant smallest, Instant until) {
        boolean isOld(Instant now) {
            return now.isBefore(until) || !now.isBefore(until.plus(BOUND_FOR));
        }
    }

    /**
     * @param forPeople whether people ask, who are answered without the indexes, too
     * @param sizes is notified of large documents
     * @param unreadable is notified of documents that no claim can name
     */
    DueLooks(MongoCollection<Document> jobs, boolean forPeople, LargeJobs sizes, Consumer<Document> unreadable) {
        this.jobs = jobs;
        this.forPeople = forPeople;
        this.sizes = sizes;
        this.unreadable = unreadable;
    }

    List<DueJob> look(DueQuery query) {
        if (query.types().isEmpty() || query.partitions().isEmpty()) {
            return List.of();
        }
        Scope scope = Scope.of(query);
        Date low = lowWater(scope, query.until());
        List<DueJob> found = lookInParts(query, low);
        if (low == null) {
            remember(scope, query.until(), found);
        }
        boolean full = found.size() >= query.limit();
        return full && query.minPriority() < DueJob.FIRST_NOT_URGENT ? withUrgent(query, found) : found;
    }

    private List<DueJob> lookInParts(DueQuery query, @Nullable Date low) {
        List<DueJob> found = new ArrayList<>();
        int typesAtOnce = Math.max(1, MOST_POINTS / query.partitions().size());
        List<String> types = List.copyOf(query.types());
        for (int from = 0; from < types.size(); from += typesAtOnce) {
            List<String> some = types.subList(from, Math.min(types.size(), from + typesAtOnce));
            find(filter(query, some, low), Indexes.DUE, query, found);
        }
        if (types.size() > typesAtOnce) {
            found.sort(Comparator.comparing(DueJob::due));
        }
        return found.size() > query.limit() ? List.copyOf(found.subList(0, query.limit())) : found;
    }

    private @Nullable Date lowWater(Scope scope, Instant until) {
        Mark mark = marks.get(scope);
        return mark == null || mark.isOld(until) ? null : Date.from(mark.smallest());
    }

    private void remember(Scope scope, Instant until, List<DueJob> found) {
        Instant bound = until.minus(SLACK);
        Instant smallest = found.isEmpty() ? bound : found.get(0).due();
        if (marks.size() >= MOST_MARKS) {
            // partitions change owners as nodes join and leave; bounds that are still needed are soon known again
            marks.clear();
        }
        marks.put(scope, new Mark(smallest.isBefore(bound) ? smallest : bound, until));
    }

    /** Adds urgent jobs if more is due than the look returns, so that they do not wait behind it (rule R9). */
    private List<DueJob> withUrgent(DueQuery query, List<DueJob> found) {
        List<DueJob> urgent = new ArrayList<>();
        List<Bson> filter = new ArrayList<>(List.of(
                Filters.lt("prio", DueJob.FIRST_NOT_URGENT),
                Filters.gte("prio", query.minPriority()),
                Filters.lte("prio", query.maxPriority()),
                Filters.lte("due", Date.from(query.until())),
                Filters.in("p", query.partitions()),
                Filters.in("type", query.types()),
                JobStateFilter.absent("deleteTime")));
        except(query, filter);
        find(Filters.and(filter), Indexes.URGENT, query, urgent);
        if (urgent.isEmpty()) {
            return found;
        }
        Map<String, DueJob> all = new LinkedHashMap<>();
        urgent.forEach(job -> all.put(job.id(), job));
        found.forEach(job -> all.putIfAbsent(job.id(), job));
        // added to the jobs that are due first: urgent jobs of the next seconds must not replace jobs that are due now
        return all.values().stream().sorted(Comparator.comparing(DueJob::due)).toList();
    }

    private static Bson filter(DueQuery query, List<String> types, @Nullable Date low) {
        List<Bson> parts = new ArrayList<>(List.of(
                Filters.in("p", query.partitions()),
                Filters.in("type", types),
                Filters.lte("due", Date.from(query.until())),
                JobStateFilter.absent("deleteTime")));
        if (low != null) {
            parts.add(Filters.gte("due", low));
        }
        if (query.minPriority() > 0 || query.maxPriority() < 7) {
            parts.add(Filters.gte("prio", query.minPriority()));
            parts.add(Filters.lte("prio", query.maxPriority()));
        }
        except(query, parts);
        return Filters.and(parts);
    }

    /** The index holds neither tags nor groups: while some are paused or busy, their due jobs are read and skipped. */
    private static void except(DueQuery query, List<Bson> parts) {
        if (!query.exceptGroups().isEmpty()) {
            parts.add(Filters.nin("exclusiveGroup", query.exceptGroups()));
        }
        if (!query.exceptTags().isEmpty()) {
            parts.add(Filters.nin("tags", query.exceptTags()));
        }
        if (!query.anyNeeds()) {
            parts.add(Filters.eq("needs", KNOWN_NEEDS));
        }
    }

    private void find(Bson filter, String index, DueQuery query, List<DueJob> into) {
        FindIterable<Document> found = jobs.find(filter)
                .sort(Sorts.ascending("due"))
                .limit(query.limit())
                .batchSize(query.limit())
                .projection(FIELDS);
        Indexes.ask(index, forPeople, hint -> found.hintString(hint).into(new ArrayList<>()))
                .forEach(document -> read(document, query, into));
    }

    /**
     * Reads each field leniently, since a document that was edited by hand must not make the look fail. Jobs that
     * cannot be run are found when they are claimed.
     */
    private void read(Document document, DueQuery query, List<DueJob> into) {
        Object id = document.get("_id");
        if (!Ids.isReadable(id)) {
            unreadable.accept(document);
            return;
        }
        String read = Ids.fromBson(id);
        sizes.note(read, document.get(SIZE));
        Date due = first(document.get("due"), Date.class, any -> true);
        Number prio = first(document.get("prio"), Number.class, any -> true);
        Number p = first(
                document.get("p"), Number.class, asked -> query.partitions().contains(asked.intValue()));
        String type = first(document.get("type"), String.class, query.types()::contains);
        into.add(new DueJob(
                read,
                due == null ? query.until() : due.toInstant(),
                prio == null ? STANDARD : prio.intValue(),
                p == null ? 0 : p.intValue(),
                type == null ? "" : type,
                text(document, "exclusiveGroup"),
                text(document, Changes.GROUP)));
    }

    private static @Nullable String text(Document document, String field) {
        return document.get(field) instanceof String text ? text : null;
    }

    /** The value itself, or the first in a list that was asked for. Without streams: this is done for each job seen. */
    private static <T> @Nullable T first(@Nullable Object value, Class<T> type, Predicate<T> asked) {
        if (!(value instanceof List<?> list)) {
            return type.isInstance(value) && asked.test(type.cast(value)) ? type.cast(value) : null;
        }
        for (Object item : list) {
            if (type.isInstance(item) && asked.test(type.cast(item))) {
                return type.cast(item);
            }
        }
        return null;
    }
}
