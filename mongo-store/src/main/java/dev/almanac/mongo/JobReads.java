package dev.almanac.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import dev.almanac.model.FindScope;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.JobList;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Reads whose answer may be that something does not exist (rule P11). What a majority read finds is there; what it does
 * not find may have been acknowledged all the same, for about a second after an election, since a new primary learns
 * late what the majority has. So an absence is asked for again with read concern linearizable: the primary answers
 * from all it has, and only after a majority has confirmed that it still is the primary. If no majority does in time,
 * the read fails, and the answer is that it is not known.
 */
final class JobReads {
    /** A server without a replica set has no elections, and refuses the read concern. */
    private static final int NO_REPLICA_SET = 123;

    private final MongoCollection<Document> majority;
    private final MongoCollection<Document> certain;

    JobReads(StoreCollections collections) {
        this.majority = collections.majorityJobs();
        this.certain = certain(collections.jobs());
    }

    static MongoCollection<Document> certain(MongoCollection<Document> some) {
        return some.withReadConcern(ReadConcern.LINEARIZABLE);
    }

    /**
     * The answer of a linearizable read.
     *
     * @param what was asked for, for the message if there is no answer
     * @param single the answer on a server without a replica set
     */
    static <T> T certainly(String what, Supplier<T> read, Supplier<T> single) {
        return MongoCalls.read("making sure that " + what + ", which is not known now", () -> {
            try {
                return read.get();
            } catch (MongoCommandException e) {
                if (e.getErrorCode() == NO_REPLICA_SET) {
                    return single.get();
                }
                throw e;
            }
        });
    }

    /** The document, read by the majority if it is there, else for certain. The filter names one document. */
    static @Nullable Document one(MongoCollection<Document> majority, Bson filter, String what) {
        Document found = majority.find(filter).first();
        return found != null
                ? found
                : certainly(what, () -> certain(majority).find(filter).first(), () -> null);
    }

    Optional<StoredJob> find(String key, FindScope scope) {
        Bson live = Filters.eq("activeKey", key);
        if (scope == FindScope.LIVE) {
            return Optional.ofNullable(one(majority, live, "no live job has this key"))
                    .map(DocumentReader::jobOrThrow);
        }
        Document found = majority.find(live).first();
        return found == null
                ? Optional.ofNullable(newest(List.of(key)).get(key))
                : Optional.of(DocumentReader.jobOrThrow(found));
    }

    /**
     * Of each key the live job, else the newest finished one. One linearizable read names all documents of the keys; it
     * is one batch, as that of the documents that {@link #load} misses. Each document is then read by the majority.
     *
     * @throws DamagedJobException for one of those that cannot be read, under the key that was asked for
     */
    Map<String, StoredJob> newest(Collection<String> keys) {
        Set<String> asked = new HashSet<>(keys);
        Map<String, Document> chosen = new HashMap<>();
        for (Document shown : ofKeys(keys)) {
            DocumentReader.texts(shown, "jobSpecificationKey")
                    .filter(asked::contains)
                    .forEach(key -> chosen.merge(key, shown, JobReads::newer));
        }
        if (chosen.isEmpty()) {
            return Map.of();
        }
        JobList read = load(chosen.values().stream()
                .map(shown -> shown.get("_id"))
                .distinct()
                .toList());
        if (!read.damaged().isEmpty()) {
            throw new DamagedJobException(asAsked(read.damaged().get(0), chosen));
        }
        Map<String, StoredJob> newest = new HashMap<>();
        read.jobs().forEach(job -> newest.put(job.key(), job));
        return newest;
    }

    /** Other fields of a damaged document may name another key, which its asker does not know. */
    private static DamagedJob asAsked(DamagedJob job, Map<String, Document> chosen) {
        return chosen.entrySet().stream()
                .filter(one -> Ids.fromBson(one.getValue().get("_id")).equals(job.id()))
                .findFirst()
                .map(one -> new DamagedJob(job.id(), one.getKey(), job.reason(), job.readableElsewhere()))
                .orElse(job);
    }

    private List<Document> ofKeys(Collection<String> keys) {
        return certainly("no job has this key", () -> ofKeys(certain, keys), () -> ofKeys(majority, keys));
    }

    private static List<Document> ofKeys(MongoCollection<Document> jobs, Collection<String> keys) {
        return jobs.find(Filters.and(Filters.in("jobSpecificationKey", keys), DocumentReader.KEPT))
                .projection(Projections.include(
                        "jobSpecificationKey", "activeKey", "latestUpdate", "lastStatus.updatedTime"))
                .batchSize(Integer.MAX_VALUE)
                .into(new ArrayList<>());
    }

    private static Document newer(Document one, Document other) {
        Comparator<Document> order = Comparator.comparing((Document shown) -> shown.get("activeKey") != null)
                .thenComparing(
                        shown -> shown.get("latestUpdate") instanceof Date made ? made.toInstant() : Instant.EPOCH)
                .thenComparing(Inspection::changed);
        return order.compare(one, other) < 0 ? other : one;
    }

    /** The jobs of these ids; of an id that is not in the answer there is no document. */
    JobList load(Collection<Object> ids) {
        JobList found = DocumentReader.jobs(majority.find(Filters.in("_id", ids)));
        Set<Object> missing = new HashSet<>(ids);
        found.jobs().forEach(job -> missing.remove(Ids.toBson(job.id())));
        found.damaged().forEach(job -> missing.remove(Ids.toBson(job.id())));
        if (missing.isEmpty()) {
            return found;
        }
        List<Document> late = late(missing);
        if (late.isEmpty()) {
            return found;
        }
        JobList more = DocumentReader.jobs(late);
        List<StoredJob> jobs = new ArrayList<>(found.jobs());
        jobs.addAll(more.jobs());
        List<DamagedJob> damaged = new ArrayList<>(found.damaged());
        damaged.addAll(more.damaged());
        return new JobList(jobs, damaged, null);
    }

    /**
     * Those of the documents that there are after all. MongoDB promises a linearizable answer about one document. Here
     * the ids of several are asked for at once, and each is judged by itself; nothing is concluded from two of them
     * together. The answer is one batch, so that the confirmation of the primary covers all of it. What is there is then
     * read one by one.
     */
    private List<Document> late(Set<Object> missing) {
        return certainly(
                "a job does not exist",
                () -> {
                    List<Object> there = certain.find(Filters.in("_id", missing))
                            .projection(Projections.include("_id"))
                            .batchSize(missing.size() + 1)
                            .map(document -> document.get("_id"))
                            .into(new ArrayList<>());
                    List<Document> documents = new ArrayList<>();
                    for (Object id : there) {
                        Document document = certain.find(Filters.eq("_id", id)).first();
                        if (document != null) {
                            documents.add(document);
                        }
                    }
                    return documents;
                },
                List::of);
    }
}
