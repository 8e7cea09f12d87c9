package dev.almanac.store;

import java.util.Objects;
import java.util.function.Function;

/**
 * A change applied to a document that others may have written since it was read: only differing fields are written. The
 * specification is as it was read, since its version is guarded.
 */
final class MergedChange {
    private final StoredJob stored;
    private final JobChange change;

    private MergedChange(StoredJob stored, JobChange change) {
        this.stored = stored;
        this.change = change;
    }

    static StoredJob of(StoredJob stored, JobChange change) {
        return new MergedChange(stored, change).merged();
    }

    private StoredJob merged() {
        boolean sameLease =
                Objects.equals(change.before().lease(), change.after().lease());
        return change.after()
                .with(edit -> edit.lease(either(StoredJob::lease))
                        // a renewal may have moved it; a change that ends the lease sets it all the same
                        .due(sameLease ? either(StoredJob::due) : change.after().due())
                        .sequences(sequences())
                        .plan(either(StoredJob::plan))
                        .requests(either(StoredJob::requests))
                        .phase(either(StoredJob::phase))
                        .verdict(either(StoredJob::verdict))
                        .blocked(either(StoredJob::blocked))
                        .lastStatus(either(StoredJob::lastStatus))
                        .state(either(StoredJob::state))
                        .progress(change.after().lease() == null ? null : stored.progress()));
    }

    private Sequences sequences() {
        return new Sequences(
                either(job -> job.sequences().fireSeq()),
                either(job -> job.sequences().claimSeq()),
                either(job -> job.sequences().doneSeq()),
                either(job -> job.sequences().startedSeq()));
    }

    /** The changed value; the stored one if it is not changed. */
    private <T> T either(Function<StoredJob, T> field) {
        T after = field.apply(change.after());
        return Objects.equals(field.apply(change.before()), after) ? field.apply(stored) : after;
    }
}
