package dev.almanac.spring;

import dev.almanac.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the scheduler with the declared jobs when all beans are made, and drains it before they are destroyed. Its phase is the
 * default one, the last: beans of lower phases are started before it and stopped after it. Another {@link SmartLifecycle} of
 * the default phase may start later and stop earlier, so one that jobs need has a lower phase. A scheduler is started once:
 * after a stop it stays stopped. Thread-safe.
 */
final class SchedulerLifecycle implements SmartLifecycle {
    private final Scheduler scheduler;
    private final DeclaredJobs declared;
    private final Duration drainTimeout;
    private volatile boolean running;

    SchedulerLifecycle(Scheduler scheduler, DeclaredJobs declared, Duration drainTimeout) {
        this.scheduler = scheduler;
        this.declared = declared;
        this.drainTimeout = drainTimeout;
    }

    @Override
    public void start() {
        List<DeclaredJobs.Declaration> jobs = declared.check(scheduler);
        scheduler.start();
        running = true;
        declared.reconcile(scheduler, jobs);
    }

    @Override
    public void stop(Runnable callback) {
        running = false;
        CompletableFuture<Void> drained = scheduler.beginDrain(drainTimeout);
        // that of a double of a test is null
        Objects.requireNonNullElseGet(drained, () -> CompletableFuture.<Void>completedFuture(null))
                .whenComplete((nothing, error) -> callback.run());
    }

    @Override
    public void stop() {
        running = false;
        try {
            scheduler.drain(drainTimeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** It could not be started again. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
