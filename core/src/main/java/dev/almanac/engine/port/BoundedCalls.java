package dev.almanac.engine.port;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/** Calls of one kind that may hang, each on a thread of its own. While so many are in flight, a further one is left out. Thread-safe. */
public final class BoundedCalls {
    private final String what;
    private final Executor threads;
    private final ContainedFailures failures;
    private final Semaphore places;

    /**
     * @param what names the calls, for messages
     * @param most how many of them are in flight
     */
    public BoundedCalls(String what, int most, Executor threads, ContainedFailures failures) {
        this.what = what;
        this.threads = threads;
        this.failures = failures;
        this.places = new Semaphore(most);
    }

    /** Begins a call, unless there is no place or no thread for it. Throws nothing. */
    public void begin(Runnable call) {
        if (!places.tryAcquire()) {
            return;
        }
        try {
            threads.execute(() -> {
                try {
                    call.run();
                } finally {
                    places.release();
                }
            });
        } catch (RuntimeException | Error noThread) {
            places.release();
            failures.add(what, noThread);
        }
    }
}
