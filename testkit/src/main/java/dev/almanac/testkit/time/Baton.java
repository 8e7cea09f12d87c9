package dev.almanac.testkit.time;

import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Threads of which one at a time runs. The test's thread passes the baton to one that runs steps, and waits until it
 * comes back. A step that is suspended passes it to another thread, which runs the next steps, and gets it back at its
 * time. So a step can stop in the middle of a call, and yet nothing happens at the same time, and the order is the same
 * in each run.
 */
final class Baton {
    /** A step that waits for a monitor of a suspended one would never end; a call may take minutes on a slow machine. */
    private static final Duration LONGEST_STEP = Duration.ofMinutes(5);
    /** Shared by all lanes: to make a thread costs more than to run a step. They are daemons. */
    private static final Deque<Runner> IDLE = new ConcurrentLinkedDeque<>();

    private final Runnable loop;
    private final IntSupplier progress;
    private final Duration longestStep;
    private final Semaphore home = new Semaphore(0);

    /**
     * @param loop runs steps; it returns true if the baton comes home with that, false if it was passed on
     * @param progress changes with each step that begins
     */
    Baton(BooleanSupplier loop, IntSupplier progress) {
        this(loop, progress, LONGEST_STEP);
    }

    Baton(BooleanSupplier loop, IntSupplier progress, Duration longestStep) {
        this.progress = progress;
        this.longestStep = longestStep;
        this.loop = () -> {
            if (loop.getAsBoolean()) {
                home.release();
            }
        };
    }

    /** From the test's thread: steps run, until the loop brings the baton home. */
    void send() {
        pass();
        awaitHome();
    }

    /** From the test's thread: what stood still goes on, until the loop brings the baton home. */
    void send(Semaphore stopped) {
        stopped.release();
        awaitHome();
    }

    /**
     * From a step: other steps run, until {@code stopped} is released.
     *
     * @throws IllegalStateException if no step runs on this thread
     */
    void stop(Semaphore stopped) {
        if (!isStep()) {
            throw new IllegalStateException("only a step can take time; the test itself moves time on");
        }
        pass();
        stopped.acquireUninterruptibly();
    }

    /** Whether a step runs on this thread, of whichever lanes. */
    static boolean isStep() {
        return Thread.currentThread() instanceof Runner;
    }

    private void pass() {
        Runner idle = IDLE.poll();
        Runner next = idle == null ? new Runner() : idle;
        next.go(loop);
    }

    /** However long all steps take together: only one that does not end is an error. */
    private void awaitHome() {
        try {
            int before = progress.getAsInt();
            while (!home.tryAcquire(longestStep.toMillis(), TimeUnit.MILLISECONDS)) {
                int now = progress.getAsInt();
                if (now == before) {
                    throw new IllegalStateException("a step has not ended in " + longestStep.toSeconds()
                            + " s; does it wait for a monitor of a step that stands still?");
                }
                before = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while steps were running", e);
        }
    }

    private static final class Runner extends Thread {
        private final Semaphore turn = new Semaphore(0);
        private volatile Runnable stretch = () -> {};

        Runner() {
            super("manual-lanes");
            setDaemon(true);
            start();
        }

        void go(Runnable next) {
            stretch = next;
            turn.release();
        }

        @Override
        public void run() {
            while (true) {
                turn.acquireUninterruptibly();
                Runnable now = stretch;
                now.run();
                IDLE.push(this);
            }
        }
    }
}
