package dev.almanac.web.read;

import dev.almanac.model.InvariantReport;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the stored state, at most once a minute and only while a page is open that shows the result. A check may take
 * longer than a page, so it runs in the background, and a page shows the last result. Thread-safe.
 */
public final class Doctor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Doctor.class);
    private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final Supplier<InvariantReport> check;
    private final Supplier<Instant> clock;
    private final LongSupplier nanos;
    private final ExecutorService thread;
    private volatile @Nullable Visit last;
    private @Nullable Long begun;

    /**
     * One check.
     *
     * @param report what was found; absent if the check failed
     * @param at when it ended, by the server's clock
     */
    public record Visit(@Nullable InvariantReport report, Instant at) {}

    Doctor(Supplier<InvariantReport> check, Supplier<Instant> clock, LongSupplier nanos) {
        this.check = check;
        this.clock = clock;
        this.nanos = nanos;
        this.thread = StoreReader.thread("almanac-console-doctor");
    }

    /** The last check; absent if there was none yet. Starts another one if that is a minute ago. */
    public @Nullable Visit visit() {
        synchronized (this) {
            long now = nanos.getAsLong();
            if (begun == null || now - begun >= PAUSE_NANOS) {
                begun = now;
                thread.execute(this::look);
            }
        }
        return last;
    }

    private void look() {
        try {
            last = new Visit(check.get(), clock.get());
        } catch (RuntimeException e) {
            LOG.warn("the check of the store failed", e);
            last = new Visit(null, failedAt());
        }
    }

    /** As far as the offset of the clock is known. */
    private Instant failedAt() {
        try {
            return clock.get();
        } catch (RuntimeException unknown) {
            return Instant.now();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
