package dev.almanac.mongo;

import dev.almanac.model.JobSpecification;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredJob;
import java.util.Map;
import java.util.Objects;
import org.bson.Document;

/** A change as a guarded update: only what differs is written. */
final class Changes {
    /** The exclusive group that a claimed job holds (rule P9); unique, and absent without a lease. */
    static final String GROUP = "runningGroup";

    /** The last progress of the run under the present lease; written with renewals, and absent without a lease. */
    static final String PROGRESS = "progress";

    private static final String LAST = "lastStatus";

    private static final Document ABSENT = new Document("$exists", false);

    private Changes() {}

    /**
     * Id, version and lease as they were (rules P4, P7), and the number of the last claim: a job that was claimed and
     * completed since has neither another version nor a lease, but another plan. A change that takes away an ended
     * lease is guarded by the lease and the phase that were read, since a renewal or a verdict may have arrived meanwhile.
     */
    static Document guard(JobChange change) {
        Document guard = new Document("_id", Ids.toBson(change.before().id()));
        guard.putAll(guardWithoutId(change));
        Lease lease = change.before().lease();
        Phase phase = change.before().phase();
        return lease != null && change.takesLease()
                ? guard.append("lease.until", lease.until()).append("phase", phase == Phase.RUN ? ABSENT : phase.name())
                : guard;
    }

    /** The guard without the id, for updates of many documents. */
    static Document guardWithoutId(JobChange change) {
        StoredJob before = change.before();
        Lease lease = before.lease();
        Document guard = new Document("version", before.specification().version())
                .append("claimSeq", before.sequences().claimSeq())
                .append("deleteTime", ABSENT);
        if (change.guardsPlan()) {
            guard.append("fireSeq", before.sequences().fireSeq());
        }
        if (change.guardsRow()) {
            guard.append(LAST + ".id", Ids.eitherRow(before.lastStatus().id(), before.id()));
        }
        return lease == null ? guard.append("lease", ABSENT) : guard.append("lease.token", lease.token());
    }

    static Document update(JobChange change) {
        Document before = new Document();
        Document after = new Document();
        contents(change, before, after);
        SpecificationDocument.states(before, change.before(), after, change.after());
        Document set = new Document();
        Document unset = new Document();
        if (change.isByHolder() && after.containsKey(LAST)) {
            differences(LAST + ".", (Document) before.remove(LAST), (Document) after.remove(LAST), set, unset);
        }
        differences("", before, after, set, unset);
        lease(change, after, set, unset);
        return update(change, set, unset);
    }

    private static void differences(String path, Document before, Document after, Document set, Document unset) {
        for (Map.Entry<String, Object> field : after.entrySet()) {
            if (!Objects.equals(before.get(field.getKey()), field.getValue())) {
                set.append(path.isEmpty() ? field.getKey() : path + field.getKey(), field.getValue());
            }
        }
        for (String field : before.keySet()) {
            if (!after.containsKey(field)) {
                unset.append(path.isEmpty() ? field : path + field, "");
            }
        }
    }

    private static void contents(JobChange change, Document before, Document after) {
        JobSpecification old = change.before().specification();
        JobSpecification now = change.after().specification();
        if (old.version() != now.version() && !old.equals(now)) {
            SpecificationFields.write(before, old);
            SpecificationFields.write(after, now);
        } else if (old != now) {
            // equal contents: only what the store adds to them may differ, as at the end of a job
            SpecificationFields.writeStored(before, old);
            SpecificationFields.writeStored(after, now);
        }
    }

    private static void lease(JobChange change, Document after, Document set, Document unset) {
        if (Objects.equals(change.before().lease(), change.after().lease())) {
            return;
        }
        if (change.after().lease() == null) {
            // slot and progress end with the lease
            unset.append(GROUP, "").append(PROGRESS, "");
        }
        if (after.containsKey("due")) {
            // renewals may have changed it since the document was read
            set.append("due", after.get("due"));
        }
    }

    private static Document update(JobChange change, Document set, Document unset) {
        if (set.isEmpty() && unset.isEmpty()) {
            // the server refuses an empty update, but the guard has to be evaluated
            set.append("version", change.after().specification().version());
        }
        Document update = new Document();
        if (!set.isEmpty()) {
            update.append("$set", set);
        }
        if (!unset.isEmpty()) {
            update.append("$unset", unset);
        }
        return update;
    }

    /** Whether the stored document shows a change of its lease's holder (see the package's description). */
    static boolean isShownBy(StoredJob stored, JobChange change) {
        StoredJob after = change.after();
        long claim = change.before().sequences().claimSeq();
        if (after.lease() != null) {
            return stored.isHeldWith(after.lease().token()) && hasSameState(stored, after);
        }
        return after.sequences().doneSeq() == claim
                ? stored.sequences().doneSeq() == claim
                : stored.lease() == null && stored.sequences().claimSeq() == claim;
    }

    private static boolean hasSameState(StoredJob stored, StoredJob after) {
        return stored.specification().version() == after.specification().version()
                && stored.sequences().equals(after.sequences())
                && stored.plan().equals(after.plan())
                && stored.requests().equals(after.requests())
                && stored.phase() == after.phase()
                && stored.lastStatus().id().equals(after.lastStatus().id());
    }
}
