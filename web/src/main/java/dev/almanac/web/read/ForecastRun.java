package dev.almanac.web.read;

import dev.almanac.model.JobQuery;
import dev.almanac.store.JobList;
import dev.almanac.store.StoredJob;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads all live jobs of a query for a {@link Forecast}, a page at a time. It goes on with each call for a bounded time, since a
 * million jobs take minutes. Thread-safe.
 */
public final class ForecastRun {
    private static final int PAGE = 1_000;
    private static final int WINDOW = 25_000;

    private final Forecaster forecaster;
    private final @Nullable Predicate<StoredJob> seen;
    private @Nullable JobQuery toRead;
    private long read;
    private long damaged;
    private volatile @Nullable Long touched;
    private volatile @Nullable Long ended;
    private @Nullable Forecast forecast;

    /** @param seen which of the jobs count in each number; absent = all, and those that cannot be read */
    public ForecastRun(Forecaster forecaster, JobQuery query, @Nullable Predicate<StoredJob> seen) {
        this.forecaster = forecaster;
        this.seen = seen;
        this.toRead = query.limit(PAGE).window(WINDOW);
    }

    /**
     * Goes on.
     *
     * @param nanos a monotonic clock
     * @param patience for how long, in nanoseconds; what has been begun is ended
     * @param most how many pages are read at most
     * @return absent = it is not over yet
     */
    public synchronized @Nullable Forecast go(
            Function<JobQuery, JobList> store, LongSupplier nanos, long patience, int most) {
        int pages = 0;
        long start = nanos.getAsLong();
        touched = start;
        while (forecast == null) {
            if (toRead == null || forecaster.isFull()) {
                forecaster.look(nanos, patience);
            } else if (pages++ < most) {
                read(store.apply(toRead), toRead);
            } else {
                break;
            }
            if (toRead == null && forecaster.isDone()) {
                forecast = forecaster.forecast(damaged);
                ended = nanos.getAsLong();
            } else if (nanos.getAsLong() - start > patience) {
                break;
            }
        }
        touched = nanos.getAsLong();
        return forecast;
    }

    private void read(JobList page, JobQuery part) {
        List<StoredJob> jobs =
                seen == null ? page.jobs() : page.jobs().stream().filter(seen).toList();
        jobs.forEach(forecaster::add);
        read += jobs.size();
        damaged += seen == null ? page.damaged().size() : 0;
        toRead = page.lastKey() == null ? null : part.after(page.lastKey());
    }

    /** How many of the jobs that count were read so far. */
    public synchronized long read() {
        return read;
    }

    /** Whether it ended so long ago, or went on last so long ago before its end, that jobs may have changed. */
    boolean isOld(long now, long kept) {
        Long end = ended;
        Long last = end == null ? touched : end;
        return last != null && now - last > kept;
    }

    /** Whether it has ended, or did not go on for so long that it is not waited for. */
    boolean isLeft(long now, long patience) {
        Long last = touched;
        return ended != null || last != null && now - last > patience;
    }
}
