package dev.almanac.store;

import java.time.Duration;

/** An open stream of hints at jobs that become due at once. For one thread at a time. */
public interface JobWatch extends AutoCloseable {
    /**
     * A job is due at once if it is due no later than this after it was stored or changed; a store may report further
     * ones.
     */
    Duration SOON = Duration.ofSeconds(1);

    /**
     * Waits for a few seconds at most, or not at all, until there is something to report.
     *
     * @return whether any job became due at once since the last call, or since the stream was opened
     * @throws StoreException if the stream has ended or is interrupted; it is to be closed then
     */
    boolean anyDue();

    /** Ends the stream. Idempotent. */
    @Override
    void close();
}
