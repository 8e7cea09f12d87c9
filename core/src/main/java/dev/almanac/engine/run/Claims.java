package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.function.Consumer;

/** Begins and ends claims on this node's side: takes a slot, frees the slot, once, and tells why if the lease was lost. */
public final class Claims {
    private final Node node;
    private final LeaseBook book;
    private final Consumer<StoredJob> slotFreed;

    /** @param slotFreed is told after each slot that becomes free, and which job had it */
    public Claims(Node node, LeaseBook book, Consumer<StoredJob> slotFreed) {
        this.node = node;
        this.book = book;
        this.slotFreed = slotFreed;
    }

    /** A claim has come; it takes a slot. */
    void begin(HeldJob held) {
        book.add(held);
    }

    /** The claim was recorded or handed back. */
    void end(HeldJob held) {
        if (held.over() != HeldJob.State.OVER && book.remove(held)) {
            slotFreed.accept(held.job());
        }
    }

    /** The lease is lost: the run is interrupted, nothing more is written. */
    void report(HeldJob held, String reason) {
        HeldJob.State before = held.over();
        if (before == HeldJob.State.OVER) {
            return;
        }
        held.interrupt();
        book.remove(held);
        Instant fire = held.job().plan().nextFireTime();
        node.events()
                .emit(new SchedulerEvent.LeaseLost(
                        held.job().key(),
                        fire == null ? Instant.EPOCH : fire,
                        before == HeldJob.State.RUNNING,
                        reason));
        slotFreed.accept(held.job());
    }
}
