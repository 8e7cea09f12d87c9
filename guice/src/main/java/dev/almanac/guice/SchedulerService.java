package dev.almanac.guice;

import dev.almanac.Scheduler;
import dev.almanac.config.ConfiguredStore;
import java.time.Duration;

/**
 * The scheduler in the lifecycle of its service: {@link #start()} when the service starts, {@link #stop()} when it
 * stops. Bound by {@link SchedulerModule} as a singleton. Thread-safe.
 */
public final class SchedulerService implements AutoCloseable {
    private final Scheduler scheduler;
    private final ConfiguredStore store;
    private final Duration drainTimeout;

    SchedulerService(Scheduler scheduler, ConfiguredStore store, Duration drainTimeout) {
        this.scheduler = scheduler;
        this.store = store;
        this.drainTimeout = drainTimeout;
    }

    /** The scheduler, the same that is injected. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /**
     * Opens the store, joins the cluster and, with {@code autoRehydrate}, begins to claim. Without it a service may
     * load or cancel jobs first and then call {@link Scheduler#rehydrate()}. As {@link Scheduler#start()}.
     *
     * @throws IllegalStateException if it was started before
     * @throws dev.almanac.store.StoreException if the server cannot be reached; {@link #stop()} is to be called then
     * @throws dev.almanac.store.StoreRefusedException if the store cannot be used; the message holds what to do
     */
    public SchedulerService start() {
        scheduler.start();
        return this;
    }

    /**
     * Stops claiming, waits for runs up to the drain timeout, interrupts the others, and closes
     * the scheduler and the clients that are Almanac's own. Returns at once if it was stopped before. A
     * thread that is interrupted meanwhile does not wait any longer; it stays interrupted.
     */
    public synchronized void stop() {
        try {
            scheduler.drain(drainTimeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            scheduler.close();
            store.close();
        }
    }

    /** The same as {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }
}
