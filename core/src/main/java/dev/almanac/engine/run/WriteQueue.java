package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.runtime.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Natural batching: what comes while a write is under way shares the next one. A write that hangs for longer than a
 * renewal may take is not counted as under way, so that it delays no other write (rule X3); but only so many, since a
 * server that is slow with all of them is not helped by more. Thread-safe.
 */
final class WriteQueue {
    private static final Logger LOG = LoggerFactory.getLogger(WriteQueue.class);

    /** How many writes may hang for each that may be under way. */
    private static final int HANGING = 4;

    private final Node node;
    private final int batch;
    private final int width;
    private final int most;
    private final Executor threads;
    private final Lane timer;
    private final Consumer<List<PendingWrite>> write;
    private final Duration patience;
    private final Queue<PendingWrite> queue = new ConcurrentLinkedQueue<>();
    private final Set<Strand> strands = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean alarmed = new AtomicBoolean();

    /** One sequence of writes, and when its present write was sent. */
    private static final class Strand {
        private volatile long since;
    }

    /**
     * @param width how many writes are under way at a time, not counting those that hang
     * @param threads run the writes, which may hang
     */
    WriteQueue(Node node, int width, Executor threads, Lane timer, Consumer<List<PendingWrite>> write) {
        this.node = node;
        this.batch = node.settings().completionBatch();
        this.width = width;
        this.most = width * (1 + HANGING);
        this.threads = threads;
        this.timer = timer;
        this.write = write;
        this.patience = LeaseDuty.limit(node);
    }

    void add(PendingWrite pending) {
        queue.add(pending);
        try {
            wake();
        } catch (RuntimeException | Error e) {
            if (queue.remove(pending)) {
                throw e;
            }
            LOG.error("other writes that wait may come late", e);
        }
    }

    private void wake() {
        if (queue.isEmpty()) {
            return;
        }
        if (begin()) {
            return;
        }
        if (alarmed.compareAndSet(false, true)) {
            try {
                timer.after(patience, () -> {
                    alarmed.set(false);
                    wake();
                });
            } catch (RuntimeException | Error e) {
                alarmed.set(false);
                throw e;
            }
        }
    }

    private synchronized boolean begin() {
        long now = node.clock().nanos();
        long punctual = strands.stream()
                .filter(strand -> now - strand.since < patience.toNanos())
                .count();
        if (punctual >= width || strands.size() >= most) {
            return false;
        }
        Strand strand = new Strand();
        strand.since = now;
        strands.add(strand);
        try {
            threads.execute(() -> writeAll(strand));
            return true;
        } catch (RuntimeException | Error e) {
            LOG.error("there is no thread for a write, which is tried again", e);
            strands.remove(strand);
            return false;
        }
    }

    private void writeAll(Strand strand) {
        try {
            List<PendingWrite> some = next();
            while (!some.isEmpty()) {
                strand.since = node.clock().nanos();
                write.accept(some);
                some = next();
            }
        } finally {
            strands.remove(strand);
            wake();
        }
    }

    private synchronized List<PendingWrite> next() {
        List<PendingWrite> some = new ArrayList<>();
        int room = batch;
        for (PendingWrite pending = queue.peek(); pending != null; pending = queue.peek()) {
            room = Math.min(room, pending.together());
            if (some.size() >= room) {
                break;
            }
            some.add(queue.remove());
        }
        return some;
    }
}
