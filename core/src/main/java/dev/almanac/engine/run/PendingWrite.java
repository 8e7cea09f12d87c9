package dev.almanac.engine.run;

import dev.almanac.engine.rules.Moment;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A change of a held job that waits to be written. Handled by one step at a time. */
final class PendingWrite {
    /** Decides the change on the document as it is, knowing the rows that refused ones have written. */
    @FunctionalInterface
    interface Decide {
        JobChange on(StoredJob job, Moment moment, List<JobExecutionStatus> refused);
    }

    private final HeldJob held;
    private final Decide decide;
    private final Consumer<JobChange> applied;
    private final @Nullable Runnable changed;
    private @Nullable JobChange change;

    /**
     * @param applied is told once the change is durable
     * @param changed is told if a user changed the document first and the claim goes on; absent = decide again here
     */
    PendingWrite(HeldJob held, Decide decide, Consumer<JobChange> applied, @Nullable Runnable changed) {
        this.held = held;
        this.decide = decide;
        this.applied = applied;
        this.changed = changed;
    }

    HeldJob held() {
        return held;
    }

    /** The change; decided once per version of the document, so that it can be repeated word for word. */
    JobChange change(Moment moment) {
        if (change == null) {
            change = decide.on(held.job(), held.after(moment), held.refused());
            held.writes(change.rows());
        }
        return change;
    }

    void applied(JobChange done) {
        applied.accept(done);
    }

    /** The document has another version now; whether the change is to be decided again and written here. */
    boolean decideAgain(StoredJob newer) {
        if (change != null) {
            held.refused(change.rows());
            change = null;
        }
        held.update(newer);
        if (changed != null) {
            changed.run();
            return false;
        }
        return true;
    }
}
