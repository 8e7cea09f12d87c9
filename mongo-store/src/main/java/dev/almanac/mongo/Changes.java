package dev.almanac.mongo;

import dev.almanac.model.JobSpecification;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import java.util.Objects;
import org.bson.Document;

/** A change as a guarded update: only what differs is written. */
final class Changes {
    /** The exclusive group that a claimed job holds (rule P9); unique, and absent without a lease. */
    static final String GROUP = "runningGroup";

    /** The last progress of the run under the present lease; written with renewals, and absent without a lease. */
    static final String PROGRESS = "progress";

    /** Rises with every write but renewals and progress (rule N6). */
    static final String REVISION = "rev";

    private Changes() {}

    /** The revision that was read, and for a change that takes an ended lease away, that it was not renewed since. */
    static Document guard(JobChange change) {
        Document guard = new Document("_id", Ids.toBson(change.before().id()));
        guard.putAll(guardWithoutId(change));
        return guard;
    }

    /** The guard without the id, for updates of many documents. */
    static Document guardWithoutId(JobChange change) {
        Document guard = new Document(REVISION, change.before().revision().number());
        Lease lease = change.before().lease();
        return lease != null && change.takesLease() ? guard.append("lease.until", lease.until()) : guard;
    }

    static Document update(JobChange change) {
        Document set = new Document();
        Document unset = new Document();
        contents(change.before().specification(), change.after().specification(), set, unset);
        SpecificationDocument.changes(change.before(), change.after(), change.isByHolder(), set, unset);
        lease(change, set, unset);
        return update(set, unset);
    }

    private static void contents(JobSpecification old, JobSpecification now, Document set, Document unset) {
        if (old == now) {
            return;
        }
        if (old.version() == now.version() || old.equals(now)) {
            // equal contents: only what the store adds to them may differ, as at the end of a job
            for (Field<JobSpecification> field : SpecificationFields.STORED) {
                field.change(old, now, set, unset);
            }
            return;
        }
        Document before = new Document();
        Document after = new Document();
        SpecificationFields.write(before, old);
        SpecificationFields.write(after, now);
        after.forEach((field, value) -> {
            if (!value.equals(before.get(field))) {
                set.append(field, value);
            }
        });
        before.keySet().stream().filter(field -> !after.containsKey(field)).forEach(field -> unset.append(field, ""));
    }

    private static void lease(JobChange change, Document set, Document unset) {
        if (Objects.equals(change.before().lease(), change.after().lease())) {
            return;
        }
        if (change.after().lease() == null) {
            // slot and progress end with the lease
            unset.append(GROUP, "").append(PROGRESS, "");
        }
        // renewals may have changed it since the document was read
        Fields.put(set, "due", change.after().due());
    }

    private static Document update(Document set, Document unset) {
        Document update = new Document("$set", set);
        return unset.isEmpty() ? update : update.append("$unset", unset);
    }
}
