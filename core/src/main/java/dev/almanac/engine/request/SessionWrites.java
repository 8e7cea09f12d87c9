package dev.almanac.engine.request;

import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.IfExists;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.StoredJob;

/**
 * Users' changes within a transaction of the caller: planned, checked and guarded like others, but without events
 * and announcements before the commit. For one thread and one transaction.
 */
public final class SessionWrites {
    private final Registrar inside;
    private final Runnable onWritten;

    /** @param onWritten emits the events of what was written, wakes this node, and announces interrupts */
    SessionWrites(Registrar inside, Runnable onWritten) {
        this.inside = inside;
        this.onWritten = onWritten;
    }

    /** @see Registrar#schedule */
    public StoredJob schedule(JobSpecification job, IfExists ifExists) {
        return inside.schedule(job, ifExists);
    }

    /** @see Registrar#update */
    public StoredJob update(JobSpecification job) {
        return inside.update(job);
    }

    /** @see Registrar#cancel */
    public CancelResult cancel(String key, CancelMode mode) {
        return inside.cancel(key, mode);
    }

    /** Sends the events of the writes since the last call, and announces their interrupts. */
    public void committed() {
        onWritten.run();
    }
}
