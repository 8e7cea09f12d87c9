package dev.almanac.store;

/**
 * The counters of the protocol. {@code claimSeq - doneSeq > 1} at read-back means that an earlier claim ended without a
 * recorded outcome.
 *
 * @param fireSeq number of the fire that is planned or in progress, from 0
 * @param claimSeq number of claims so far; passed to helpers as fencing number
 * @param doneSeq the claim that last ended with a recorded outcome
 * @param startedSeq the claim under which a helper was last started, kept for crash policy FAIL only; else 0
 */
public record Sequences(long fireSeq, long claimSeq, long doneSeq, long startedSeq) {
    /** Of a job that was never claimed. */
    public static final Sequences NEW = new Sequences(0, 0, 0, 0);

    /** How many claims before the present one ended without a recorded outcome. */
    public long abandoned() {
        return Math.max(0, claimSeq - doneSeq - 1);
    }

    /** Of a job without a lease: whether an earlier claim is still to be recovered, so that its plan must not move yet. */
    public boolean isUnrecovered() {
        return claimSeq != doneSeq;
    }

    /** The present claim has ended with a recorded outcome. */
    public Sequences done() {
        return new Sequences(fireSeq, claimSeq, claimSeq, startedSeq);
    }

    /** No helper was started under the present claim; removes its mark. */
    public Sequences unstarted() {
        return startedSeq == claimSeq ? new Sequences(fireSeq, claimSeq, doneSeq, 0) : this;
    }

    /** The plan moves on by so many fires. */
    public Sequences plusFires(long fires) {
        return new Sequences(fireSeq + fires, claimSeq, doneSeq, startedSeq);
    }

    /** A helper is about to be started under the present claim. */
    public Sequences started() {
        return started(claimSeq);
    }

    /** A helper may have been called under that claim. */
    public Sequences started(long claim) {
        return new Sequences(fireSeq, claimSeq, doneSeq, claim);
    }
}
