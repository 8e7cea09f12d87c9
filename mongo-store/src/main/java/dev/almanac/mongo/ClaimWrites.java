package dev.almanac.mongo;

import com.mongodb.MongoServerException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.Updates;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobList;
import dev.almanac.store.Renewal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.bson.conversions.Bson;

/** Claims and renewals: guarded updates, and what they brought (rules P1, P3). */
final class ClaimWrites {
    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);
    private static final Bson LEASE_FIELDS = Projections.include("lease", "version", "interruptRequested");
    /** {@code claimSeq} is there and cannot be counted up: the server refuses the whole update for such a document. */
    private static final Document UNCOUNTABLE =
            new Document("$exists", true).append("$not", new Document("$type", "number"));

    private static final int TYPE_MISMATCH = 14;
    private static final int DUPLICATE_KEY = 11_000;

    private final MongoCollection<Document> jobs;

    ClaimWrites(MongoCollection<Document> jobs) {
        this.jobs = jobs;
    }

    ClaimResult claim(ClaimRequest request) {
        Collection<Object> ids = MongoJobStore.bson(request.ids());
        List<DamagedJob> setAside = new ArrayList<>();
        JobList read;
        try {
            read = DocumentReader.jobs(take(ids, request));
        } catch (MongoServerException e) {
            if (e.getCode() == DUPLICATE_KEY && request.group() != null) {
                return free(request.group(), request) ? claim(request) : ClaimResult.BUSY;
            }
            if (e.getCode() != TYPE_MISMATCH) {
                throw e;
            }
            setAside.addAll(setAsideUncountable(ids, request));
            take(ids, request);
            read = DocumentReader.jobs(taken(ids, request));
        }
        for (DamagedJob job : read.damaged()) {
            setAside(
                    Filters.and(
                            Filters.eq("_id", Ids.toBson(job.id())),
                            Filters.eq("lease.token", request.lease().token())),
                    job);
        }
        setAside.addAll(read.damaged());
        return new ClaimResult(read.jobs(), setAside);
    }

    /**
     * Takes the group from a job whose lease is over, margin included; nobody may be able to claim that job again.
     * Repeated claims end: each time either a holder loses the group, or the group is busy.
     */
    private boolean free(String group, ClaimRequest request) {
        Document over = new Document("due", new Document("$lte", Date.from(request.horizon())));
        Document idle = new Document("lease", new Document("$exists", false));
        return jobs.updateOne(
                                new Document(Changes.GROUP, group).append("$or", List.of(over, idle)),
                                Updates.unset(Changes.GROUP))
                        .getModifiedCount()
                > 0;
    }

    /** Gives the lease to what is due and live, and answers the documents that got it. */
    private List<Document> take(Collection<Object> ids, ClaimRequest request) {
        Document set = new Document("lease", SpecificationDocument.lease(request.lease()))
                .append("due", Date.from(request.visibleAgain()));
        if (request.group() != null) {
            set.append(Changes.GROUP, request.group());
        }
        Document update = new Document("$set", set).append("$inc", new Document("claimSeq", 1L));
        Document filter = new Document("_id", oneOf(ids))
                .append("due", new Document("$lte", Date.from(request.horizon())))
                .append("deleteTime", new Document("$exists", false));
        if (ids.size() == 1) {
            Document one = jobs.findOneAndUpdate(filter, update, AFTER);
            return one == null ? List.of() : List.of(one);
        }
        return jobs.updateMany(filter, update).getMatchedCount() == 0 ? List.of() : taken(ids, request);
    }

    private List<Document> taken(Collection<Object> ids, ClaimRequest request) {
        return jobs.find(new Document("_id", oneOf(ids))
                        .append("lease.token", request.lease().token()))
                .batchSize(ids.size() + 1)
                .into(new ArrayList<>(ids.size()));
    }

    private static Object oneOf(Collection<Object> ids) {
        return ids.size() == 1 ? ids.iterator().next() : new Document("$in", ids);
    }

    private List<DamagedJob> setAsideUncountable(Collection<Object> ids, ClaimRequest request) {
        Document broken = new Document("_id", oneOf(ids))
                .append("due", new Document("$lte", Date.from(request.horizon())))
                .append("claimSeq", UNCOUNTABLE);
        List<DamagedJob> found = new ArrayList<>();
        for (Document document : jobs.find(broken)) {
            found.add(DocumentReader.damage(document, new DamagedDocumentException("field 'claimSeq' is no number")));
        }
        found.forEach(job -> setAside(new Document(broken).append("_id", Ids.toBson(job.id())), job));
        return found;
    }

    /** A damaged document must not be claimed again and again: it waits, visibly, to be mended. */
    private void setAside(Bson guard, DamagedJob job) {
        jobs.updateOne(
                guard,
                Updates.combine(
                        Updates.set("blocked", "the document cannot be read: " + job.reason()),
                        Updates.unset("due"),
                        Updates.unset(Changes.GROUP),
                        Updates.unset("lease")));
    }

    List<HeldLease> renew(Renewal renewal) {
        if (renewal.tokens().isEmpty()) {
            return List.of();
        }
        Map<Long, List<Object>> byToken = new HashMap<>();
        renewal.tokens()
                .forEach((id, token) ->
                        byToken.computeIfAbsent(token, t -> new ArrayList<>()).add(Ids.toBson(id)));
        // max: a renewal that was long under way must not shorten what a later one has lengthened
        Bson longer = Updates.combine(
                Updates.max("lease.until", Date.from(renewal.until())),
                Updates.max("due", Date.from(renewal.visibleAgain())));
        List<UpdateManyModel<Document>> updates = new ArrayList<>(byToken.size());
        byToken.forEach((token, ids) -> updates.add(new UpdateManyModel<>(
                new Document("_id", new Document("$in", ids)).append("lease.token", token), longer)));
        jobs.bulkWrite(updates, new BulkWriteOptions().ordered(false));
        return held(renewal.tokens());
    }

    private List<HeldLease> held(Map<String, Long> tokens) {
        List<HeldLease> answer = new ArrayList<>(tokens.size());
        Bson asked = Filters.in("_id", MongoJobStore.bson(tokens.keySet()));
        for (Document document : jobs.find(asked).projection(LEASE_FIELDS).batchSize(tokens.size() + 1)) {
            String id = Ids.fromBson(document.get("_id"));
            Long token = tokens.get(id);
            // the node may hold the document under another token by now, which this renewal is not to confirm
            if (token != null && document.get("lease") instanceof Document lease && token.equals(lease.get("token"))) {
                answer.add(new HeldLease(
                        id,
                        token,
                        Fields.number(document, "version"),
                        Boolean.TRUE.equals(document.get("interruptRequested"))));
            }
        }
        return answer;
    }
}
