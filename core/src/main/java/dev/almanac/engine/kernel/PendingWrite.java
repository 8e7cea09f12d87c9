package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.BatchSplit;
import dev.almanac.engine.rules.CompletionDecider;
import dev.almanac.engine.rules.DecisionContext;
import dev.almanac.engine.rules.HistoryFilter;
import dev.almanac.engine.rules.RowEnds;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A change of a held job that waits to be written. The kernel's; while it is under way, also of the thread that writes it,
 * and after a restart of the kernel perhaps of two: so it is decided once, and both write the same.
 */
final class PendingWrite {
    /** Decides the change on the document as it is stored; if it ends a run, by that decider. */
    @FunctionalInterface
    interface Decide {
        JobChange on(StoredJob job, DecisionContext context, CompletionDecider decider);
    }

    /** What follows if a write is tried no more. */
    enum Refusal {
        /** The job is blocked, with a row that says why. */
        BLOCK,
        /** The failure may be one of this process: other nodes get the job. */
        LEAVE_TO_OTHERS,
        /** Nothing can be written: the lease is left to expire. */
        GIVE_UP,
        /** The write is dropped, and the run continues. */
        DROP
    }

    private final HeldJob held;
    private final Decide decide;
    private final Consumer<JobChange> applied;
    private final @Nullable Runnable changed;
    private final Refusal refusal;
    private volatile @Nullable Decided decided;
    private volatile boolean plannedElsewhere;
    private boolean plans;
    private final Tries tries = new Tries();
    private int together = Integer.MAX_VALUE;

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

    /** Before it is submitted: its decision plans what follows. */
    PendingWrite planning() {
        plans = true;
        return this;
    }

    HeldJob held() {
        return held;
    }

    /** What follows this failure. Only what the server itself refuses may block the job for all nodes (rules X6, X9). */
    Refusal refusal(Throwable failure) {
        return refusal == Refusal.BLOCK && !(failure instanceof WriteRefusedException)
                ? Refusal.LEAVE_TO_OTHERS
                : refusal;
    }

    /** @param written the part of the change that is sent to the store: without rows that the job does not keep */
    private record Decided(JobChange change, JobChange written) {}

    /**
     * Decides once per revision of the document, so that a repetition is the same. The decision may hang in a calendar, so
     * no lock is held: of two threads the first one counts.
     *
     * @param drawn the number of the change, if it is decided now
     */
    void decide(Node node, DecisionContext context, long drawn) {
        if (decided == null) {
            CompletionDecider decider =
                    plannedElsewhere ? CompletionDecider.WITHOUT_CALENDARS : new CompletionDecider(node.planner());
            JobChange change =
                    RowEnds.of(decide.on(held.job(), context, decider), context).as(drawn);
            Decided made = new Decided(change, HistoryFilter.of(change));
            synchronized (this) {
                if (decided == null) {
                    decided = made;
                }
            }
        }
    }

    /** What was decided. */
    JobChange change() {
        return Objects.requireNonNull(decided, "decided first").change();
    }

    /** What was decided, as it is sent. */
    JobChange written() {
        return Objects.requireNonNull(decided, "decided first").written();
    }

    /** Whether the decision asks code of the service, which may hang, and was not made yet. */
    boolean asksCalendars() {
        return decided == null
                && plans
                && !plannedElsewhere
                && !held.job().specification().calendars().isEmpty();
    }

    boolean isPlannedElsewhere() {
        return plannedElsewhere;
    }

    /** From now on it is decided without calendars: if they concern what follows, another node plans that (rule N8). */
    void planElsewhere() {
        plannedElsewhere = true;
    }

    /** The change failed in a batch of so many, which may hold one that stalls: from now on it is written with fewer. */
    void split(int batch) {
        together = Math.min(together, BatchSplit.next(batch));
    }

    boolean isSplit() {
        return together < Integer.MAX_VALUE;
    }

    /** How many changes share a write with this one at most, itself included. */
    int together() {
        return together;
    }

    Tries tries() {
        return tries;
    }

    void applied(JobChange done) {
        applied.accept(done);
    }

    /** Takes over a newer version of the document; returns whether the change is to be decided again and written. */
    boolean decideAgain(StoredJob newer) {
        decided = null;
        held.update(newer);
        return changed == null;
    }

    /** Notifies that a user has changed the document first. */
    void changed() {
        if (changed != null) {
            changed.run();
        }
    }
}
