package dev.almanac.engine.port;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Passes events to the listeners, to each in the order in which they came, on a thread of its own, so that neither the
 * engine nor a caller depends on listeners (rule X1). What a listener throws is contained, Errors included. A listener that is
 * too slow loses the events beyond a bound, which is logged and counted; {@link #slow} names it.
 */
public final class EventStream {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    private static final int MOST_WAITING = 10_000;

    private static final long LOGGED_AGAIN_NANOS = 60_000_000_000L;
    private static final Lost NOTHING = new Lost(0, 0, 0);

    private final List<Receiver> receivers = new CopyOnWriteArrayList<>();
    private final Executor threads;
    private final ContainedFailures failures;
    private final TimeSource time;

    /** @param threads call the listeners, which may hang */
    public EventStream(List<SchedulerListener> listeners, TimeSource time, Executor threads) {
        this(listeners, time, new ContainedFailures(time), threads);
    }

    private EventStream(
            List<SchedulerListener> listeners, TimeSource time, ContainedFailures failures, Executor threads) {
        this.time = time;
        this.failures = failures;
        this.threads = threads;
        listeners.forEach(listener -> receivers.add(new Receiver(listener, threads, true, event -> true)));
    }

    /** A stream to one listener alone, which is called at once; failures are counted together. */
    EventStream to(SchedulerListener listener) {
        return new EventStream(List.of(listener), time, failures, Runnable::run);
    }

    /**
     * One more listener, of the engine.
     *
     * @param inContext whether it is called in the diagnostic context in which an event came, as one that logs must be
     * @param wanted the events that it is called for; asked on the thread that emits, for each event
     */
    public void add(SchedulerListener listener, boolean inContext, Predicate<SchedulerEvent> wanted) {
        receivers.add(new Receiver(listener, threads, inContext, wanted));
    }

    /** The failures that were contained. */
    public ContainedFailures failures() {
        return failures;
    }

    /** Returns at once. */
    public void emit(SchedulerEvent event) {
        QueuedEvent inContext = null;
        for (Receiver receiver : receivers) {
            if (!receiver.wanted.test(event)) {
                continue;
            }
            if (receiver.inContext && inContext == null) {
                // a copy is dear, and most events go to no listener that needs it
                inContext = new QueuedEvent(event, MDC.getCopyOfContextMap());
            }
            receiver.add(receiver.inContext ? inContext : new QueuedEvent(event, null));
        }
    }

    /** Completes when the listeners have received everything that was emitted so far; never while one does not return. */
    public CompletableFuture<Void> delivered() {
        return CompletableFuture.allOf(receivers.stream().map(Receiver::reached).toArray(CompletableFuture[]::new));
    }

    /** The listeners that are in a call at this moment, or have lost events. */
    public List<SlowListener> slow() {
        return receivers.stream().map(Receiver::state).flatMap(Optional::stream).toList();
    }

    /** An event, and the diagnostic context in which it came. */
    private record QueuedEvent(
            SchedulerEvent event, @Nullable Map<String, String> context) {}

    /** A call of a listener that has not returned. */
    private record Call(String thread, long sinceNanos) {}

    /** Events that were left out, when the last of them was, and when that was logged. */
    private record Lost(long events, long lastNanos, long loggedNanos) {}

    /** One listener and the events that wait for it. */
    private final class Receiver {
        private final SchedulerListener listener;
        private final Executor threads;
        private final boolean inContext;
        private final Predicate<SchedulerEvent> wanted;
        private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicInteger count = new AtomicInteger();
        private final AtomicBoolean scheduled = new AtomicBoolean();
        private final AtomicBoolean called = new AtomicBoolean();
        private volatile @Nullable Call call;
        private volatile Lost lost = NOTHING;

        Receiver(SchedulerListener listener, Executor threads, boolean inContext, Predicate<SchedulerEvent> wanted) {
            this.listener = listener;
            this.threads = threads;
            this.inContext = inContext;
            this.wanted = wanted;
        }

        void add(QueuedEvent queued) {
            if (count.incrementAndGet() > MOST_WAITING) {
                count.decrementAndGet();
                lose();
                return;
            }
            waiting.add(() -> {
                count.decrementAndGet();
                deliverEvent(queued);
            });
            deliverSoon();
        }

        CompletableFuture<Void> reached() {
            CompletableFuture<Void> reached = new CompletableFuture<>();
            waiting.add(() -> reached.complete(null));
            deliverSoon();
            return reached;
        }

        private synchronized void lose() {
            long now = time.nanos();
            Lost before = lost;
            boolean log = before.events() == 0 || now - before.loggedNanos() > LOGGED_AGAIN_NANOS;
            lost = new Lost(before.events() + 1, now, log ? now : before.loggedNanos());
            if (log) {
                LOG.warn(
                        "listener {} is too slow: {} events wait for it, and {} were left out so far",
                        ContainedFailures.name(listener),
                        MOST_WAITING,
                        lost.events());
            }
        }

        private void deliverSoon() {
            if (!scheduled.compareAndSet(false, true)) {
                return;
            }
            try {
                threads.execute(() -> {
                    scheduled.set(false);
                    deliver();
                });
            } catch (RuntimeException | Error e) {
                // without a thread; the next event tries again, and who emits is not concerned
                scheduled.set(false);
                failures.add("finding a thread for listener " + ContainedFailures.name(listener), e);
            }
        }

        private void deliver() {
            while (!waiting.isEmpty() && called.compareAndSet(false, true)) {
                Map<String, String> before = MDC.getCopyOfContextMap();
                try {
                    Runnable next = waiting.poll();
                    while (next != null) {
                        next.run();
                        next = waiting.poll();
                    }
                } finally {
                    setContext(before);
                    called.set(false);
                }
            }
        }

        Optional<SlowListener> state() {
            long now = time.nanos();
            Call open = call;
            Lost so = lost;
            if (open == null && so.events() == 0) {
                return Optional.empty();
            }
            return Optional.of(new SlowListener(
                    ContainedFailures.name(listener),
                    open == null ? Duration.ZERO : Duration.ofNanos(now - open.sinceNanos()),
                    open == null ? "" : open.thread(),
                    count.get(),
                    so.events(),
                    Duration.ofNanos(now - so.lastNanos())));
        }

        private void deliverEvent(QueuedEvent queued) {
            try {
                call = new Call(Thread.currentThread().getName(), time.nanos());
                if (inContext) {
                    setContext(queued.context());
                }
                listener.on(queued.event());
            } catch (Throwable e) {
                failures.add(
                        "listener " + ContainedFailures.name(listener) + " at "
                                + queued.event().getClass().getSimpleName(),
                        e);
            } finally {
                call = null;
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
