package dev.almanac.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoServerException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.WriteModel;
import dev.almanac.model.Progress;
import dev.almanac.store.Blocked;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobList;
import dev.almanac.store.Renewal;
import dev.almanac.text.Printable;
import dev.almanac.text.Redaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims and renewals as guarded updates, and their results (rules P1, P3). */
final class ClaimWrites {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimWrites.class);

    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);
    private static final Bson LEASE_FIELDS = Projections.include("lease", "version", "interruptRequested");
    private static final Bson RAISED = Updates.inc(Changes.REVISION, 1L);
    private static final Bson NOT_DUE =
            Updates.combine(Updates.unset("due"), Updates.unset(Changes.GROUP), Updates.unset("lease"));
    private static final Bson NOTHING = Updates.combine();
    /** As in looks: a value that is not a text counts as no group and no slot, and so does a list of texts. */
    private static final Document NO_TEXT =
            new Document("$not", Document.parse("{$type: 'string', $not: {$type: 'array'}}"));

    /**
     * The time limit of a claim, since a document in an open transaction of another client makes the whole claim wait
     * (rule X3).
     */
    private static final long CLAIM_LIMIT_MILLIS = 3_000;

    /** Longer than the lead of a claim, and by how much two processes may misjudge the server's time. */
    private static final Duration LATELY = Duration.ofMillis(2_500);

    private final MongoCollection<Document> jobs;
    private final MongoCollection<Document> majorityJobs;
    private final MongoCollection<Document> secondClient;
    private final LargeJobs sizes;
    private final MongoCollection<Document> limited;

    /**
     * A claim of some of the jobs.
     *
     * @param slot of their group that is taken with it; absent = they have none
     */
    private record Take(ClaimRequest request, @Nullable String slot) {}

    /** @param secondClient the jobs over the second connection */
    ClaimWrites(StoreCollections collections, MongoCollection<Document> secondClient, LargeJobs sizes) {
        this.jobs = collections.jobs();
        this.majorityJobs = collections.majorityJobs();
        this.secondClient = secondClient;
        this.sizes = sizes;
        this.limited = jobs.withTimeout(CLAIM_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    ClaimResult claim(ClaimRequest request) {
        List<Document> claimed = new ArrayList<>();
        List<DamagedJob> blocked = new ArrayList<>();
        ClaimRequest.Entry entry = request.entry();
        if (entry == null) {
            claim(sizes.fitting(request.ids()), new Take(request, null), claimed, blocked);
        } else if (!enter(request, entry, claimed, blocked)) {
            return ClaimResult.BUSY;
        }
        JobList read = DocumentReader.jobs(claimed);
        List<DamagedJob> left = new ArrayList<>();
        for (DamagedJob job : read.damaged()) {
            if (job.readableElsewhere()) {
                release(job, claimed, request);
                left.add(job);
            } else {
                block(heldBy(job.id(), request), job.reason(), unrun(job, claimed));
                blocked.add(job);
            }
        }
        return new ClaimResult(read.jobs(), blocked, left, false);
    }

    /**
     * Tries the slots. A try fails if another job takes the free slot first; after as many tries as there are slots the
     * group counts as busy.
     */
    private boolean enter(
            ClaimRequest request, ClaimRequest.Entry entry, List<Document> claimed, List<DamagedJob> blocked) {
        String slot = entry.slots().isEmpty() ? null : entry.slots().get(0);
        for (int tries = 0; slot != null && tries <= entry.slots().size(); tries++) {
            try {
                claim(sizes.fitting(request.ids()), new Take(request, slot), claimed, blocked);
                return true;
            } catch (MongoServerException e) {
                if (!WriteErrors.isDuplicate(e)) {
                    throw e;
                }
            }
            slot = SlotHolders.free(jobs, request, entry);
        }
        return false;
    }

    private static Bson heldBy(String id, ClaimRequest request) {
        return Filters.and(
                Filters.eq("_id", Ids.toBson(id)),
                Filters.eq("lease.token", request.lease().token()));
    }

    /** Releases a document that this version cannot read: it stays due for a version that can (rule X6). */
    private void release(DamagedJob job, List<Document> claimed, ClaimRequest request) {
        Bson back = Updates.combine(
                Updates.set("due", Date.from(request.horizon())),
                Updates.unset(Changes.GROUP),
                Updates.unset("lease"),
                RAISED,
                unrun(job, claimed));
        jobs.updateOne(heldBy(job.id(), request), back);
    }

    /** Nothing was run under this claim: the next one recovers nothing, unless there is an earlier one to recover. */
    private static Bson unrun(DamagedJob job, List<Document> claimed) {
        Document document = claimed.stream()
                .filter(one -> Ids.fromBson(one.get("_id")).equals(job.id()))
                .findFirst()
                .orElseThrow();
        Long claims = Fields.whole(document.get("claimSeq"));
        Long done = Fields.whole(document.get("doneSeq"));
        return claims != null && done != null && claims - done == 1 ? Updates.set("doneSeq", claims) : NOTHING;
    }

    /**
     * Claims; a refusal by the server is narrowed down by halving the batch (rule X9), so that it affects one document
     * only.
     */
    private void claim(List<String> ids, Take take, List<Document> claimed, List<DamagedJob> blocked) {
        ClaimRequest request = take.request();
        try {
            claimed.addAll(take(MongoJobStore.bson(ids), take));
        } catch (MongoServerException e) {
            if (!WriteErrors.isForGood(e)) {
                throw e;
            }
            if (ids.size() > 1) {
                claimed.addAll(taken(MongoJobStore.bson(ids), request));
                List<String> left = new ArrayList<>(ids);
                claimed.forEach(document -> left.remove(Ids.fromBson(document.get("_id"))));
                int half = (left.size() + 1) / 2;
                claim(left.subList(0, half), take, claimed, blocked);
                claim(left.subList(half, left.size()), take, claimed, blocked);
            } else if (!ids.isEmpty()) {
                refused(ids.get(0), request, e).ifPresent(blocked::add);
            }
        }
    }

    /** Blocks a document that cannot be claimed, with the reason. */
    private Optional<DamagedJob> refused(String id, ClaimRequest request, MongoServerException refusal) {
        Document guard = new Document("_id", Ids.toBson(id)).append("due", within(request));
        Document document = jobs.find(guard).first();
        if (document == null) {
            return Optional.empty();
        }
        DamagedJob job = DocumentReader.jobs(List.of(document)).damaged().stream()
                .findFirst()
                .orElseGet(() -> DocumentReader.damage(
                        document,
                        new DamagedDocumentException(
                                "the server refuses to claim it: " + Redaction.withoutCredentials(said(refusal)))));
        block(guard, job.reason(), NOTHING);
        return Optional.of(job);
    }

    private static @Nullable String said(MongoServerException refusal) {
        return refusal instanceof MongoCommandException command ? command.getErrorMessage() : refusal.getMessage();
    }

    private static Document within(ClaimRequest request) {
        return new Document("$lte", Date.from(request.horizon()));
    }

    /** Gives the lease to the jobs that are due and live, and returns their documents. */
    private List<Document> take(Collection<Object> ids, Take take) {
        Document guard = guard(ids, take.request());
        if (ids.size() == 1) {
            Document one = limited.findOneAndUpdate(guard, update(take), AFTER);
            return one == null ? List.of() : List.of(one);
        }
        // a bulk, whose error says also whether a majority has seen what was applied
        BulkWriteResult result = limited.bulkWrite(List.of(new UpdateManyModel<>(guard, update(take))));
        return result.getMatchedCount() == 0 ? List.of() : taken(ids, take.request());
    }

    private static Document guard(Collection<Object> ids, ClaimRequest request) {
        Document guard = new Document("_id", oneOf(ids))
                .append("due", within(request))
                .append("deleteTime", null)
                .append("needs", DueLooks.KNOWN_NEEDS);
        ClaimRequest.Entry entry = request.entry();
        guard.append("exclusiveGroup", entry == null ? NO_TEXT : entry.group());
        if (entry != null) {
            guard.append(Changes.GROUP, entry.seenSlot() == null ? NO_TEXT : entry.seenSlot());
        }
        return guard;
    }

    private static Document update(Take take) {
        ClaimRequest request = take.request();
        Document set = new Document("lease", SpecificationDocument.lease(request.lease()))
                .append("due", Date.from(request.visibleAgain()));
        Document unset = new Document(Changes.PROGRESS, "");
        if (take.slot() == null) {
            // of an earlier claim, if the job has left its group since
            unset.append(Changes.GROUP, "");
        } else {
            set.append(Changes.GROUP, take.slot());
        }
        return new Document("$set", set)
                .append("$inc", new Document("claimSeq", 1L).append(Changes.REVISION, 1L))
                .append("$unset", unset);
    }

    /**
     * What another has changed since the claim may be undone (rule N7), so what was changed lately is read as a majority has
     * it. That costs the server twice as much, and all else is what the acknowledged claim has found.
     */
    private List<Document> taken(Collection<Object> ids, ClaimRequest request) {
        List<Document> taken = taken(jobs, ids, request);
        Date lately = Date.from(request.horizon().minus(LATELY));
        List<Object> changed = taken.stream()
                .filter(job -> isChangedSince(job, lately))
                .map(job -> job.get("_id"))
                .toList();
        if (!changed.isEmpty()) {
            taken.removeIf(job -> isChangedSince(job, lately));
            taken.addAll(taken(majorityJobs, changed, request));
        }
        return taken;
    }

    /** Each change has a row, whose time is that of the server as the sender knows it. */
    private static boolean isChangedSince(Document job, Date moment) {
        return !(job.get("lastStatus") instanceof Document row)
                || !(row.get("updatedTime") instanceof Date time)
                || time.after(moment);
    }

    private static List<Document> taken(MongoCollection<Document> from, Collection<Object> ids, ClaimRequest request) {
        return from.find(new Document("_id", oneOf(ids))
                        .append("lease.token", request.lease().token()))
                .batchSize(ids.size() + 1)
                .into(new ArrayList<>(ids.size()));
    }

    private static Object oneOf(Collection<Object> ids) {
        return ids.size() == 1 ? ids.iterator().next() : new Document("$in", ids);
    }

    /** Blocks a damaged document until it is repaired, so that it is not claimed again and again. */
    private void block(Bson guard, String reason, Bson unrun) {
        Blocked why = Blocked.toRepair("the document cannot be read: " + reason);
        Bson visibly = Updates.set("blocked", SpecificationDocument.blocked(why));
        Bson quietly = Updates.combine(NOT_DUE, unrun);
        try {
            jobs.updateOne(guard, Updates.combine(visibly, quietly, RAISED));
        } catch (MongoServerException e) {
            if (!WriteErrors.isForGood(e)) {
                throw e;
            }
            // the document is so large that the reason does not fit, or its revision is no number
            jobs.updateOne(guard, quietly);
        }
    }

    /** Blocks a document whose id has a type that no job has, so that no look shows it again; refused, it holds up no look. */
    void blockUnnamed(Document document) {
        try {
            block(
                    Filters.and(Filters.eq("_id", document.get("_id")), Filters.eq("due", document.get("due"))),
                    Ids.UNREADABLE,
                    NOTHING);
        } catch (MongoServerException e) {
            if (!WriteErrors.isForGood(e)) {
                throw e;
            }
            LOG.warn(
                    "the document with _id {} is no job, since its id is neither an object id nor a text, and the"
                            + " server refuses to change it: {}",
                    Printable.value(document.get("_id")),
                    Redaction.withoutCredentials(e.getMessage()));
        }
    }

    List<HeldLease> renew(Renewal renewal) {
        if (renewal.tokens().isEmpty()) {
            return List.of();
        }
        MongoCollection<Document> to = way(renewal);
        to.bulkWrite(updates(renewal), new BulkWriteOptions().ordered(false));
        return held(to, renewal);
    }

    /**
     * The updates of a renewal: one for all leases without new progress, and one for each with progress, in the same
     * call.
     */
    private static List<WriteModel<Document>> updates(Renewal renewal) {
        // max, since a delayed renewal must not shorten a lease that a later one has lengthened
        Bson longer = Updates.combine(
                Updates.max("lease.until", Date.from(renewal.until())),
                Updates.max("due", Date.from(renewal.visibleAgain())));
        Map<Long, List<Object>> byToken = new HashMap<>();
        List<WriteModel<Document>> updates = new ArrayList<>();
        renewal.tokens().forEach((id, token) -> {
            Progress said = renewal.progress().get(id);
            if (said == null) {
                byToken.computeIfAbsent(token, t -> new ArrayList<>()).add(Ids.toBson(id));
            } else {
                Bson noted = Updates.set(Changes.PROGRESS, SpecificationDocument.progress(said));
                updates.add(new UpdateOneModel<>(
                        new Document("_id", Ids.toBson(id)).append("lease.token", token),
                        Updates.combine(longer, noted)));
            }
        });
        byToken.forEach((token, ids) -> updates.add(new UpdateManyModel<>(
                new Document("_id", new Document("$in", ids)).append("lease.token", token), longer)));
        return updates;
    }

    private MongoCollection<Document> way(Renewal renewal) {
        Long usual = jobs.getTimeout(TimeUnit.MILLISECONDS);
        long most = usual == null ? Long.MAX_VALUE : usual;
        Duration limit = renewal.limit();
        long millis = limit == null ? most : Math.min(most, Math.max(1, limit.toMillis()));
        return (renewal.secondClient() ? secondClient : jobs).withTimeout(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * The leases that the update has lengthened. A claim that arrives after the update shows the token, too, but it ends
     * sooner than what the node would trust.
     */
    private static List<HeldLease> held(MongoCollection<Document> jobs, Renewal renewal) {
        Map<String, Long> tokens = renewal.tokens();
        Date until = Date.from(renewal.until());
        List<HeldLease> answer = new ArrayList<>(tokens.size());
        Bson asked = Filters.in("_id", MongoJobStore.bson(tokens.keySet()));
        for (Document document : jobs.find(asked).projection(LEASE_FIELDS).batchSize(tokens.size() + 1)) {
            String id = Ids.fromBson(document.get("_id"));
            Long token = tokens.get(id);
            // the node may hold the document under another token by now, which this renewal is not to confirm
            if (token != null
                    && document.get("lease") instanceof Document lease
                    && token.equals(lease.get("token"))
                    && lease.get("until") instanceof Date end
                    && !end.before(until)) {
                answer.add(new HeldLease(
                        id,
                        token,
                        Fields.versionOrZero(document),
                        Boolean.TRUE.equals(document.get("interruptRequested"))));
            }
        }
        return answer;
    }
}
