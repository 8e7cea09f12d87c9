package dev.almanac.engine.kernel;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.LogLine;
import dev.almanac.model.Progress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run reports before it ends: the state for the next run, which is saved with its end, its progress, which is
 * saved by renewals (rule A3), and its log, which is in the rows of the run alone (rule S7). Thread-safe.
 */
final class RunNotes {
    private static final int MOST_LINES = 50;
    private static final long BETWEEN_NANOS = Duration.ofSeconds(2).toNanos();

    private volatile @Nullable Map<String, Object> state;
    private volatile @Nullable Progress progress;
    private @Nullable Progress saved;
    private long savedNanos;
    private final Deque<LogLine> log = new ArrayDeque<>();

    /** The state that was set; absent if none was. */
    @Nullable
    Map<String, Object> state() {
        return state;
    }

    void state(Map<String, Object> set) {
        this.state = set;
    }

    /** The last progress; absent if there was none. */
    @Nullable
    Progress progress() {
        return progress;
    }

    void progress(Progress said) {
        this.progress = said;
    }

    /** Only the newest lines are kept. */
    synchronized void log(LogLine line) {
        if (log.size() == MOST_LINES) {
            log.remove();
        }
        log.add(line);
    }

    /** The rows as they are stored: those of the run have the lines of its log, which no document holds. */
    synchronized List<JobExecutionStatus> withLog(List<JobExecutionStatus> rows) {
        return log.isEmpty()
                ? rows
                : rows.stream()
                        .map(row -> row.startedTime() == null
                                ? row
                                : row.toBuilder().log(List.copyOf(log)).build())
                        .toList();
    }

    /** The progress that a renewal saves now; absent if nothing is new, or progress was saved less than 2 s ago. */
    synchronized @Nullable Progress unsaved(long nanos) {
        Progress said = progress;
        boolean early = saved != null && nanos - savedNanos < BETWEEN_NANOS;
        return said == null || said.equals(saved) || early ? null : said;
    }

    /**
     * @param written the progress that was saved; absent = none
     * @param nanos when it was sent, by the monotonic clock
     */
    synchronized void saved(@Nullable Progress written, long nanos) {
        if (written != null) {
            saved = written;
            savedNanos = nanos;
        }
    }
}
