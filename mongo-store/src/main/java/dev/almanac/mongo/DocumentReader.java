package dev.almanac.mongo;

import com.mongodb.client.AggregateIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.JobList;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads documents; a damaged one does not stop the others. */
final class DocumentReader {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentReader.class);

    /** Who has removed a damaged document, with which its key became free. */
    static final String REMOVED_BY = "removedBy";

    /** Removed documents are no jobs; only their lives count on. */
    static final Bson KEPT = Filters.exists(REMOVED_BY, false);

    /** As the server compares texts. */
    private static final Comparator<String> BY_BYTES = (one, other) ->
            Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

    private DocumentReader() {}

    static JobList jobs(Iterable<Document> documents) {
        List<StoredJob> jobs = new ArrayList<>();
        List<DamagedJob> damaged = new ArrayList<>();
        for (Document document : documents) {
            try {
                BoundedDocuments.requireWhole(document);
                jobs.add(SpecificationDocument.read(document));
            } catch (RuntimeException e) {
                damaged.add(damage(document, e));
            }
        }
        return new JobList(jobs, damaged, null);
    }

    /** The live job of a key, or also the newest finished one, as a transaction of the caller sees it. */
    static Optional<StoredJob> find(Function<Bson, FindIterable<Document>> jobs, String key, FindScope scope) {
        Document found = jobs.apply(Filters.eq("activeKey", key)).first();
        if (found == null && scope == FindScope.INCLUDING_FINISHED) {
            found = newestOf(jobs, key);
        }
        return Optional.ofNullable(found).map(DocumentReader::jobOrThrow);
    }

    /**
     * The highest life of each of the keys; without those that have none. A list of keys or lives, which only a person
     * stores, counts for each of its items, as for the unique index.
     */
    static Map<String, Integer> lastLives(
            Function<List<Bson>, AggregateIterable<Document>> jobs, Collection<String> keys) {
        Bson lives = Filters.and(
                Filters.in("jobSpecificationKey", keys), Filters.type(SpecificationDocument.LIFE, "number"));
        Bson last = Aggregates.group(
                "$jobSpecificationKey", Accumulators.max(SpecificationDocument.LIFE, "$" + SpecificationDocument.LIFE));
        Map<String, Integer> found = new HashMap<>();
        List<Bson> stages = List.of(
                Aggregates.match(lives),
                Aggregates.unwind("$jobSpecificationKey"),
                Aggregates.unwind("$" + SpecificationDocument.LIFE),
                Aggregates.match(lives),
                last);
        for (Document key : jobs.apply(stages)) {
            if (key.get(SpecificationDocument.LIFE) instanceof Number number) {
                found.put(key.getString("_id"), number.intValue());
            }
        }
        return found;
    }

    /** Of the finished documents of a key the later one: a row may be written into an earlier one when that has ended. */
    static @Nullable Document newestOf(Function<Bson, FindIterable<Document>> jobs, String key) {
        return jobs.apply(Filters.and(Filters.eq("jobSpecificationKey", key), KEPT))
                .sort(Sorts.descending("latestUpdate", "lastStatus.updatedTime"))
                .first();
    }

    static StoredJob jobOrThrow(Document document) {
        try {
            BoundedDocuments.requireWhole(document);
            return SpecificationDocument.read(document);
        } catch (RuntimeException e) {
            throw new DamagedJobException(damage(document, e));
        }
    }

    /** Describes a damaged document, with fields of any kind. */
    static DamagedJob damage(Document document, RuntimeException e) {
        return new DamagedJob(
                // of a large document not every kind of id is read
                Ids.fromBson(document.get("_id", (Object) "?")),
                key(document),
                e instanceof DamagedDocumentException ? String.valueOf(e.getMessage()) : e.toString(),
                e instanceof UnknownValueException);
    }

    /**
     * The text by which the server sorts a document: of a list, which only a person stores, the least.
     *
     * @throws DamagedJobException if it has none that was read
     */
    static String sortedBy(Document document, String field) {
        return texts(document, field)
                .min(BY_BYTES)
                .orElseThrow(() -> new DamagedJobException(damage(
                        document,
                        new DamagedDocumentException("field '" + field + "' has no text, so no list goes on"))));
    }

    /** The texts by which the server finds a document: of a list, which only a person stores, each. */
    static Stream<String> texts(Document document, String field) {
        Object value = document.get(field);
        Stream<?> values = value instanceof List<?> list ? list.stream() : Stream.ofNullable(value);
        return values.filter(String.class::isInstance).map(String.class::cast);
    }

    /** The key that commands take. */
    private static String key(Document document) {
        Object key = document.get("activeKey") instanceof String live ? live : document.get("jobSpecificationKey");
        return key instanceof String text ? text : DamagedJob.UNNAMED;
    }

    /** The rows that can be read. A damaged row is logged and must not hide the job's other rows. */
    static List<JobExecutionStatus> rows(Iterable<Document> documents) {
        List<JobExecutionStatus> rows = new ArrayList<>();
        for (Document document : documents) {
            try {
                BoundedDocuments.requireWhole(document);
                rows.add(RowDocument.read(document));
            } catch (RuntimeException e) {
                LOG.warn(
                        "ALM-006 the status row '{}' cannot be read and is left out: {}",
                        Printable.value(document.get("_id")),
                        Printable.value(e));
            }
        }
        return rows;
    }
}
