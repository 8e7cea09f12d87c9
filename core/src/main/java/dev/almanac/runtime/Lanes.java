package dev.almanac.runtime;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the engine's steps. A real engine has a few threads; a test runs every step of every node on one thread
 * in virtual time, in a repeatable order. Thread-safe.
 */
public interface Lanes extends AutoCloseable {
    /**
     * Opens a lane.
     *
     * @param name for thread names
     * @param width how many steps of the lane may run at a time, 1 or more
     */
    Lane open(String name, int width);

    /**
     * Waits for a future that steps of these lanes complete. Lanes in virtual time advance their clock meanwhile, so
     * that a test need not do so on another thread.
     *
     * @param atMost how long, by the time of these lanes
     * @return whether it has ended
     * @throws ExecutionException if it has failed
     */
    default boolean await(Future<?> end, Duration atMost) throws InterruptedException, ExecutionException {
        try {
            end.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /**
     * As {@link #await}, also if the thread is interrupted meanwhile: its flag is set again at the end.
     *
     * @param end one that never fails
     */
    default boolean awaitUninterrupted(Future<?> end, Duration atMost) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return await(end, atMost);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException neverFails) {
            throw new IllegalStateException(neverFails);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Threads for steps that may hang: each step begins at once, on a thread that no other step uses meanwhile. Threads
     * are kept for a while and end when idle.
     *
     * @param name for thread names
     */
    Executor threads(String name);

    /** Ends all lanes and threads; steps that have not begun are dropped, running ones are interrupted. */
    @Override
    void close();
}
