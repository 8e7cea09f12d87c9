package dev.almanac.mongo;

import dev.almanac.model.JobSpecification;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import java.util.Map;
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

    private static final String LAST = "lastStatus";

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
        return update(set, unset);
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

    private static Document update(Document set, Document unset) {
        Document update = new Document("$set", set);
        return unset.isEmpty() ? update : update.append("$unset", unset);
    }
}
