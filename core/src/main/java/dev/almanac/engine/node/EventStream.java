package dev.almanac.engine.node;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.runtime.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Passes events to the listeners, to each in the order in which they came, on a thread of its own, so that the engine
 * does not depend on listeners (rule X1). A listener that throws, whatever it throws, is contained. A listener that is
 * too slow loses the events beyond a bound, which is reported as its failure.
 */
public final class EventStream {
    private static final int MOST_WAITING = 10_000;

    private final List<Receiver> receivers = new CopyOnWriteArrayList<>();
    private final Executor threads;
    private final ContainedFailures contained;

    /** @param threads call the listeners, which may hang */
    public EventStream(List<SchedulerListener> listeners, TimeSource time, Executor threads) {
        this(listeners, new ContainedFailures(time), threads);
    }

    private EventStream(List<SchedulerListener> listeners, ContainedFailures contained, Executor threads) {
        this.contained = contained;
        this.threads = threads;
        listeners.forEach(this::add);
    }

    /** A stream to one listener alone, which is called at once; failures are counted together. */
    EventStream to(SchedulerListener listener) {
        return new EventStream(List.of(listener), contained, Runnable::run);
    }

    /** One more listener. */
    void add(SchedulerListener listener) {
        receivers.add(new Receiver(listener, threads));
    }

    /** The failures that were contained. */
    public ContainedFailures contained() {
        return contained;
    }

    /** Returns at once. */
    public void emit(SchedulerEvent event) {
        QueuedEvent queued = new QueuedEvent(event, MDC.getCopyOfContextMap());
        receivers.forEach(ear -> ear.add(queued));
    }

    /** Delivers on the caller's thread: the event of a user's request was delivered when the call returns. */
    public void tell(SchedulerEvent event) {
        emit(event);
        deliverNow();
    }

    /** Delivers waiting events on this thread, except to listeners that are being called. */
    public void deliverNow() {
        receivers.forEach(Receiver::deliver);
    }

    /** An event, and the diagnostic context in which it came. */
    private record QueuedEvent(
            SchedulerEvent event, @Nullable Map<String, String> context) {}

    /** One listener and the events that wait for it. */
    private final class Receiver {
        private final SchedulerListener listener;
        private final Executor threads;
        private final Queue<QueuedEvent> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicInteger count = new AtomicInteger();
        private final AtomicBoolean scheduled = new AtomicBoolean();
        private final AtomicBoolean called = new AtomicBoolean();

        Receiver(SchedulerListener listener, Executor threads) {
            this.listener = listener;
            this.threads = threads;
        }

        void add(QueuedEvent queued) {
            if (count.incrementAndGet() > MOST_WAITING) {
                count.decrementAndGet();
                contained.add(
                        "listener " + ContainedFailures.name(listener) + ", too slow for its events,",
                        new IllegalStateException(MOST_WAITING + " events wait for it; later ones are left out"));
                return;
            }
            waiting.add(queued);
            if (scheduled.compareAndSet(false, true)) {
                threads.execute(() -> {
                    scheduled.set(false);
                    deliver();
                });
            }
        }

        void deliver() {
            while (!waiting.isEmpty() && called.compareAndSet(false, true)) {
                Map<String, String> before = MDC.getCopyOfContextMap();
                try {
                    QueuedEvent queued = waiting.poll();
                    while (queued != null) {
                        count.decrementAndGet();
                        tell(queued);
                        queued = waiting.poll();
                    }
                } finally {
                    setContext(before);
                    called.set(false);
                }
            }
        }

        private void tell(QueuedEvent queued) {
            try {
                setContext(queued.context());
                listener.on(queued.event());
            } catch (Throwable e) {
                contained.add(
                        "listener " + ContainedFailures.name(listener) + " at "
                                + queued.event().getClass().getSimpleName(),
                        e);
            }
        }
    }

    private static void setContext(@Nullable Map<String, String> context) {
        if (context == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(context);
        }
    }
}
