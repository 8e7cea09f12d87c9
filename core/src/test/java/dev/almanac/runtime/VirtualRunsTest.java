package dev.almanac.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Virtual threads are played by an executor that the test lets run, or not. */
class VirtualRunsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Carriers virtual = new Carriers();
    private final ExecutorService pool = Executors.newFixedThreadPool(2, run -> new Thread(run, "platform"));
    private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
    private VirtualRuns runs = new VirtualRuns(virtual, pool, PATIENCE);

    private static final class Carriers extends AbstractExecutorService {
        private final List<Runnable> given = new CopyOnWriteArrayList<>();
        /** One for each time that the watch looks whether it is to end. */
        private final Semaphore looks = new Semaphore(0);

        private OutOfMemoryError refusal;
        private volatile boolean shutdown;

        @Override
        public void execute(Runnable run) {
            given.add(run);
            if (refusal != null) {
                throw refusal;
            }
        }

        void runAll() {
            given.forEach(Runnable::run);
        }

        @Override
        public void shutdown() {
            shutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            looks.release();
            return shutdown;
        }

        @Override
        public boolean isTerminated() {
            return shutdown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return shutdown;
        }
    }

    @AfterEach
    void close() {
        runs.shutdown();
    }

    private Runnable run(String name) {
        return () -> begun.add(name + " on " + Thread.currentThread().getName());
    }

    private String next() throws InterruptedException {
        return begun.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private String here(String name) {
        return name + " on " + Thread.currentThread().getName();
    }

    @Test
    @DisplayName("R10: runs begin on virtual threads, and no platform thread takes one that has begun")
    void virtual() {
        runs.execute(run("a"));
        runs.execute(run("b"));
        virtual.runAll();
        virtual.runAll();
        assertThat(begun).containsExactly(here("a"), here("b"));
    }

    @Test
    @DisplayName("N14: runs that no virtual thread begins, and all later ones, begin on platform threads, each once")
    void stalled() throws InterruptedException {
        runs = new VirtualRuns(virtual, pool, Duration.ofMillis(20));
        runs.execute(run("a"));
        runs.execute(run("b"));
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("a on platform", "b on platform");
        runs.execute(run("c"));
        assertThat(next()).isEqualTo("c on platform");
        virtual.runAll();
        assertThat(begun).as("begins twice").isEmpty();
    }

    @Test
    @DisplayName("N14: a run is given to the pool once, however long it waits there")
    void movedOnce() throws InterruptedException {
        Carriers busy = new Carriers();
        runs = new VirtualRuns(virtual, busy, Duration.ofMillis(20));
        runs.execute(run("a"));
        while (busy.given.isEmpty()) {
            virtual.looks.acquire();
        }
        virtual.looks.drainPermits();
        virtual.looks.acquire(3);
        assertThat(busy.given).hasSize(1);
        busy.runAll();
        assertThat(begun).containsExactly(here("a"));
    }

    @Test
    @DisplayName("X9: a run that was refused does not begin later, although the JVM may have kept it")
    void refused() {
        virtual.refusal = new OutOfMemoryError("unable to create native thread");
        assertThatThrownBy(() -> runs.execute(run("a"))).isSameAs(virtual.refusal);
        virtual.runAll();
        assertThat(begun).isEmpty();
    }
}
