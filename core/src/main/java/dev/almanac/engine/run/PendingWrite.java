package dev.almanac.engine.run;

import dev.almanac.engine.rules.HistoryFilter;
import dev.almanac.engine.rules.Moment;
import dev.almanac.engine.rules.Rows;
import dev.almanac.engine.rules.Transitions;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A change of a held job that waits to be written. Handled by one step at a time. */
final class PendingWrite {
    private static final Logger LOG = LoggerFactory.getLogger(PendingWrite.class);

    /** Decides the change on the document as it is, knowing the rows that refused ones have written. */
    @FunctionalInterface
    interface Decide {
        JobChange on(StoredJob job, Moment moment, List<JobExecutionStatus> refused);
    }

    /** What is done about a write that the server refuses for good. */
    enum Refusal {
        /** The job is blocked, with a row that says why. */
        BLOCK,
        /** Even that row was refused: the job is blocked without one. */
        BLOCK_WITHOUT_ROW,
        /** Nothing can be written: the lease is left to expire. */
        GIVE_UP,
        /** The run goes on without what was to be written. */
        DROP
    }

    private final HeldJob held;
    private final Decide decide;
    private final Consumer<JobChange> applied;
    private final @Nullable Runnable changed;
    private final Refusal refusal;
    private @Nullable JobChange change;
    private @Nullable JobChange written;
    private int failures;
    private boolean alone;

    /**
     * @param applied is notified once the change is durable
     * @param changed is notified if a user changed the document first and the claim goes on; absent = decide again here
     * @param refusal what follows if the server refuses it for good
     */
    PendingWrite(
            HeldJob held, Decide decide, Consumer<JobChange> applied, @Nullable Runnable changed, Refusal refusal) {
        this.held = held;
        this.decide = decide;
        this.applied = applied;
        this.changed = changed;
        this.refusal = refusal;
    }

    HeldJob held() {
        return held;
    }

    Refusal refusal() {
        return refusal;
    }

    /** The change; decided once per version of the document, so that it can be repeated word for word. */
    JobChange change(Moment moment) {
        if (change == null) {
            Moment later = held.after(moment);
            change = decided(later);
            written = HistoryFilter.of(Rows.withRequested(change), later);
            held.writes(change.rows());
        }
        return change;
    }

    /**
     * What of the change goes to the store: with rows of users that are not told as those of runs, without those that the
     * job does not keep.
     */
    JobChange written() {
        return Objects.requireNonNull(written, "decided first");
    }

    /** What cannot be decided, whatever was thrown, must not take its batch with it (rule X2). */
    private JobChange decided(Moment moment) {
        try {
            return decide.on(held.job(), moment, held.refused());
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "what follows for job '{}' cannot be decided; it is blocked",
                    Printable.value(held.job().key()),
                    e);
            return Transitions.block(
                    held.job(),
                    "what follows cannot be decided: " + e.getClass().getName(),
                    moment);
        }
    }

    /** Whether the decision asks code of the service, which may hang, and was not made yet. */
    boolean asksCalendars() {
        return change == null && !held.job().specification().calendars().isEmpty();
    }

    /** It failed together with others, one of which may stall: from now on it goes by itself. */
    void goAlone() {
        alone = true;
    }

    boolean isAlone() {
        return alone;
    }

    /** How often the store has not answered. */
    int failed() {
        return ++failures;
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
        return changed == null;
    }

    /** A user has changed the document first. */
    void changed() {
        if (changed != null) {
            changed.run();
        }
    }

    /** Whether an earlier try of the change, whose reply was lost, is what the document shows. */
    static boolean isApplied(JobChange change, StoredJob stored) {
        long claim = change.before().sequences().claimSeq();
        if (change.after().lease() == null) {
            return change.after().sequences().doneSeq() == claim
                    ? stored.sequences().doneSeq() >= claim
                    : stored.lease() == null && stored.sequences().claimSeq() == claim;
        }
        return stored.sequences().equals(change.after().sequences())
                && stored.plan().equals(change.after().plan())
                && stored.phase() == change.after().phase()
                && stored.lastStatus().id().equals(change.after().lastStatus().id())
                && stored.specification().version()
                        == change.after().specification().version();
    }
}
