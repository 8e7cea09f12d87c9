package dev.almanac.engine.run;

import dev.almanac.store.StoredJob;

/** Whether a claimed job may start, as far as users hold jobs back (rule X10): asked right before the start. */
public interface StartGate {
    /** What is known. */
    enum Answer {
        /** It may start. */
        OPEN,
        /** It is held back. */
        HELD,
        /** Its exclusive group has no such slot any more. */
        NO_SLOT,
        /** What is known is too old: {@link #refresh}, read the job again, and ask again. */
        UNKNOWN
    }

    /**
     * Never waits.
     *
     * @param readNanos when the document was asked for, by the node's monotonic clock
     */
    Answer ask(StoredJob job, long readNanos);

    /**
     * Asks the store what is held back.
     *
     * @throws dev.almanac.store.StoreException if it does not answer
     */
    void refresh();
}
