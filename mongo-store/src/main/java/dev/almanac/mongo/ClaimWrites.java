package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
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
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/** Claims and renewals: guarded updates, and what they brought (rules P1, P3). */
final class ClaimWrites {
    private static final FindOneAndUpdateOptions AFTER =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);
    private static final Bson LEASE_FIELDS = Projections.include("lease", "version", "interruptRequested");

    private final MongoCollection<Document> jobs;

    ClaimWrites(MongoCollection<Document> jobs) {
        this.jobs = jobs;
    }

    ClaimResult claim(ClaimRequest request) {
        Collection<Object> ids = MongoJobStore.bson(request.ids());
        Bson due = Filters.lte("due", Date.from(request.horizon()));
        Bson update = Updates.combine(
                Updates.set("lease", SpecificationDocument.lease(request.lease())),
                Updates.set("due", Date.from(request.visibleAgain())),
                Updates.inc("claimSeq", 1L));
        List<Document> claimed = new ArrayList<>(ids.size());
        if (ids.size() == 1) {
            Document one = jobs.findOneAndUpdate(
                    Filters.and(Filters.eq("_id", ids.iterator().next()), due), update, AFTER);
            if (one != null) {
                claimed.add(one);
            }
        } else {
            long matched = jobs.updateMany(Filters.and(Filters.in("_id", ids), due), update)
                    .getMatchedCount();
            if (matched > 0) {
                jobs.find(Filters.and(
                                Filters.in("_id", ids),
                                Filters.eq("lease.token", request.lease().token())))
                        .batchSize(ids.size() + 1)
                        .into(claimed);
            }
        }
        JobList read = Reading.jobs(claimed);
        read.damaged().forEach(job -> setAside(job, request.lease().token()));
        return new ClaimResult(read.jobs(), read.damaged());
    }

    /** A damaged document must not be claimed again and again: it waits, visibly, to be mended. */
    private void setAside(DamagedJob job, long token) {
        jobs.updateOne(
                Filters.and(Filters.eq("_id", Ids.toBson(job.id())), Filters.eq("lease.token", token)),
                Updates.combine(
                        Updates.set("blocked", "the document cannot be read: " + job.reason()),
                        Updates.unset("due"),
                        Updates.unset("lease")));
    }

    List<HeldLease> renew(Renewal renewal) {
        Bson held = Filters.and(
                Filters.in("_id", MongoJobStore.bson(renewal.tokens().keySet())),
                Filters.in(
                        "lease.token",
                        renewal.tokens().values().stream().distinct().toList()));
        jobs.updateMany(
                held,
                Updates.combine(
                        Updates.set("lease.until", Date.from(renewal.until())),
                        Updates.set("due", Date.from(renewal.visibleAgain()))));
        List<HeldLease> answer = new ArrayList<>();
        for (Document document : jobs.find(held).projection(LEASE_FIELDS)) {
            answer.add(new HeldLease(
                    Ids.fromBson(document.get("_id")),
                    document.get("lease", Document.class).getLong("token"),
                    Fields.number(document, "version"),
                    Fields.flag(document, "interruptRequested")));
        }
        return answer;
    }
}
