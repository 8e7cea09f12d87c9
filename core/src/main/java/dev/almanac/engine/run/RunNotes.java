package dev.almanac.engine.run;

import dev.almanac.model.Progress;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run says of itself before it ends: the state for the next run, which is saved with its end, and how far it is,
 * which goes along with renewals (rule A3). Thread-safe.
 */
final class RunNotes {
    private static final long BETWEEN_NANOS = Duration.ofSeconds(2).toNanos();

    private volatile @Nullable Map<String, Object> state;
    private volatile @Nullable Progress progress;
    private @Nullable Progress saved;
    private long savedNanos;

    /** The state that was set; absent if none was. */
    @Nullable
    Map<String, Object> state() {
        return state;
    }

    void state(Map<String, Object> set) {
        this.state = set;
    }

    /** What was said last; absent if nothing was. */
    @Nullable
    Progress progress() {
        return progress;
    }

    void progress(Progress said) {
        this.progress = said;
    }

    /** What a renewal that goes now takes with it; absent if nothing is new, or what is stored is younger than 2 s. */
    synchronized @Nullable Progress unsaved(long nanos) {
        Progress said = progress;
        boolean early = saved != null && nanos - savedNanos < BETWEEN_NANOS;
        return said == null || said.equals(saved) || early ? null : said;
    }

    /**
     * @param written absent if nothing was
     * @param nanos when it was sent, by the monotonic clock
     */
    synchronized void saved(@Nullable Progress written, long nanos) {
        if (written != null) {
            saved = written;
            savedNanos = nanos;
        }
    }
}
