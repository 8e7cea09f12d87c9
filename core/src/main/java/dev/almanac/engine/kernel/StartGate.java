package dev.almanac.engine.kernel;

import dev.almanac.store.StoredJob;

/** Asked right before the start: whether pauses and groups allow a claimed job to start (rule X10). */
public interface StartGate {
    /** What is known. */
    enum Answer {
        /** It may start. */
        OPEN,
        /** It is held back. */
        HELD,
        /** It holds no slot that its exclusive group has. */
        NO_SLOT,
        /** The reading is too old: call {@link #refresh}, read the job again, and ask again. */
        UNKNOWN
    }

    /**
     * Never waits.
     *
     * @param readNanos when the document was asked for, by the node's monotonic clock
     */
    Answer ask(StoredJob job, long readNanos);

    /** How many jobs of the group may run together, as last read. */
    int slots(String group);

    /**
     * Reads pauses and groups from the store.
     *
     * @throws dev.almanac.store.StoreException if it does not answer
     */
    void refresh();

    /** Whether that was done so recently that another reading would show nothing new. */
    boolean isFresh();
}
