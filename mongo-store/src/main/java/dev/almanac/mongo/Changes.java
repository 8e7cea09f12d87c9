package dev.almanac.mongo;

import dev.almanac.model.JobSpecification;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

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
    static Written guard(List<Object> ids, long revision, @Nullable Instant until) {
        return (to, codecs) -> {
            to.writeName("_id");
            if (ids.size() == 1) {
                Fields.write(to, ids.get(0), codecs);
            } else {
                to.writeStartDocument();
                to.writeStartArray("$in");
                ids.forEach(id -> Fields.write(to, id, codecs));
                to.writeEndArray();
                to.writeEndDocument();
            }
            to.writeInt64(REVISION, revision);
            if (until != null) {
                to.writeDateTime("lease.until", until.toEpochMilli());
            }
        };
    }

    /** When the lease ends that the change takes from its holder; absent if it takes none. */
    static @Nullable Instant leaseTaken(JobChange change) {
        Lease lease = change.before().lease();
        return lease != null && change.takesLease() ? lease.until() : null;
    }

    static Edit update(JobChange change) {
        Edit edit = new Edit();
        contents(change.before().specification(), change.after().specification(), edit);
        SpecificationDocument.changes(change.before(), change.after(), change.isByHolder(), edit);
        lease(change, edit);
        return edit;
    }

    private static void contents(JobSpecification old, JobSpecification now, Edit edit) {
        if (old == now) {
            return;
        }
        if (old.version() == now.version() || old.equals(now)) {
            // equal contents: only what the store adds to them may differ, as at the end of a job
            for (Field<JobSpecification> field : SpecificationFields.STORED) {
                field.change(old, now, edit);
            }
            return;
        }
        Document before = new Document();
        Document after = new Document();
        SpecificationFields.write(before, old);
        SpecificationFields.write(after, now);
        after.forEach((field, value) -> {
            if (!value.equals(before.get(field))) {
                edit.set(field, value);
            }
        });
        before.keySet().stream().filter(field -> !after.containsKey(field)).forEach(edit::unset);
    }

    private static void lease(JobChange change, Edit edit) {
        if (Objects.equals(change.before().lease(), change.after().lease())) {
            return;
        }
        if (change.after().lease() == null) {
            // slot and progress end with the lease
            edit.unset(GROUP);
            edit.unset(PROGRESS);
        }
        if (Objects.equals(change.before().due(), change.after().due())) {
            // renewals may have changed it since the document was read
            edit.set("due", change.after().due());
        }
    }
}
