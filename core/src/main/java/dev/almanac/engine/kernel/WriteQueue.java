package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Natural batching: what comes while a write is under way shares the next one. A write that hangs for longer than a
 * renewal may take is not counted as under way, so that it delays no other write (rule X3); but only so many, since a
 * server that is slow with all of them is not helped by more. The kernel's.
 */
final class WriteQueue {
    /** How many writes may hang for each that may be under way. */
    private static final int HANGING = 4;

    private final Node node;
    private final int batch;
    private final int width;
    private final int most;
    private final Kernel kernel;
    private final BiPredicate<List<PendingWrite>, Runnable> send;
    private final Duration patience;
    private final Queue<PendingWrite> queue = new ArrayDeque<>();
    private final Set<UnderWay> underWay = new HashSet<>();
    private boolean alarmed;

    /** A write, by when it was sent; each is another one. */
    private static final class UnderWay {
        private final long since;

        UnderWay(long since) {
            this.since = since;
        }
    }

    /**
     * @param width how many writes are under way at a time, not counting those that hang
     * @param send sends a batch, and notifies in a later step of the kernel when that is over; false if nothing was sent
     */
    WriteQueue(Node node, int width, Kernel kernel, BiPredicate<List<PendingWrite>, Runnable> send) {
        this.node = node;
        this.batch = node.settings().completionBatch();
        this.width = width;
        this.most = width * (1 + HANGING);
        this.kernel = kernel;
        this.send = send;
        this.patience = LeaseDuty.limit(node);
    }

    /** The kernel begins again, and adds anew what is to be written. */
    void beginAgain() {
        queue.clear();
        underWay.clear();
        alarmed = false;
    }

    void add(PendingWrite pending) {
        queue.add(pending);
        sendNext();
    }

    private void sendNext() {
        while (!queue.isEmpty() && hasRoom()) {
            UnderWay next = new UnderWay(node.clock().nanos());
            boolean sent = send.test(nextBatch(), () -> {
                underWay.remove(next);
                sendNext();
            });
            if (sent) {
                underWay.add(next);
            }
        }
        if (!queue.isEmpty() && !alarmed) {
            // one of those under way may hang by then
            kernel.after(patience, () -> {
                alarmed = false;
                sendNext();
            });
            alarmed = true;
        }
    }

    private boolean hasRoom() {
        long now = node.clock().nanos();
        long punctual = underWay.stream()
                .filter(write -> now - write.since < patience.toNanos())
                .count();
        return punctual < width && underWay.size() < most;
    }

    private List<PendingWrite> nextBatch() {
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
