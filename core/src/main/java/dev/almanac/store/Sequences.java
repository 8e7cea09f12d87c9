package dev.almanac.store;

/**
 * The counters of the protocol. {@code claimSeq - doneSeq > 1} at read-back means that an earlier claim ended without a
 * recorded outcome.
 *
 * @param fireSeq number of the fire that is planned or in progress, from 0
 * @param claimSeq number of claims so far; passed to helpers as fencing number
 * @param doneSeq the last claim of which it is on record how it ended, also that it was abandoned
 * @param startedSeq the claim under which a helper was last started, kept for crash policy FAIL only; else 0
 * @param crashes how many claims were abandoned since a run ended last: before its verdict each row counts one, after it
 *     each claim that could not store the follow-ups
 */
public record Sequences(long fireSeq, long claimSeq, long doneSeq, long startedSeq, long crashes) {
    /** Of a job that was never claimed. */
    public static final Sequences NEW = new Sequences(0, 0, 0, 0);

    /** None was abandoned. */
    public Sequences(long fireSeq, long claimSeq, long doneSeq, long startedSeq) {
        this(fireSeq, claimSeq, doneSeq, startedSeq, 0);
    }

    /** How many claims before the present one ended without a recorded outcome. */
    public long abandoned() {
        return Math.max(0, claimSeq - doneSeq - 1);
    }

    /**
     * Of a job that is claimed and not decided on: whether a helper may have been called under an earlier claim that has no end
     * on record; known for crash policy FAIL only. The mark of the present claim is that of a start to come.
     */
    public boolean mayHaveStarted() {
        return startedSeq > doneSeq && startedSeq < claimSeq;
    }

    /** Of a job without a lease: whether an earlier claim is still to be recovered, so that its plan must not move yet. */
    public boolean isUnrecovered() {
        return claimSeq != doneSeq;
    }

    /** The next claim. */
    public Sequences claimed() {
        return new Sequences(fireSeq, claimSeq + 1, doneSeq, startedSeq, crashes);
    }

    /** The run of the present claim has ended. */
    public Sequences done() {
        return new Sequences(fireSeq, claimSeq, claimSeq, startedSeq, 0);
    }

    /** The present claim is over, and nothing was run under it. */
    public Sequences released() {
        return new Sequences(fireSeq, claimSeq, claimSeq, startedSeq, crashes);
    }

    /** The verdict of the run is written, and with it how the claims before the present one ended; it goes on to store the follow-ups. */
    public Sequences judged() {
        return new Sequences(fireSeq, claimSeq, claimSeq - 1, startedSeq, 0);
    }

    /** The present claim is over, and tried to store no follow-ups; those before it that have no end on record did. */
    public Sequences releasedAfterVerdict() {
        return new Sequences(fireSeq, claimSeq, claimSeq, startedSeq, failedAfterVerdict());
    }

    /** How many claims before the present one could not store the follow-ups of the verdict. */
    public long failedAfterVerdict() {
        return crashes + abandoned();
    }

    /** It is on record that the claims before the present one were abandoned (rule N8). */
    public Sequences recovered() {
        return new Sequences(fireSeq, claimSeq, claimSeq - 1, startedSeq, crashes + 1);
    }

    /** No helper was started under the present claim; removes its mark. */
    public Sequences unstarted() {
        return startedSeq == claimSeq ? new Sequences(fireSeq, claimSeq, doneSeq, 0, crashes) : this;
    }

    /** The plan moves on by so many fires. */
    public Sequences plusFires(long fires) {
        return new Sequences(fireSeq + fires, claimSeq, doneSeq, startedSeq, crashes);
    }

    /** A helper is about to be started under the present claim. */
    public Sequences started() {
        return started(claimSeq);
    }

    /** A helper may have been called under that claim. */
    public Sequences started(long claim) {
        return new Sequences(fireSeq, claimSeq, doneSeq, claim, crashes);
    }
}
