package dev.almanac.engine.port;

import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits how many log lines of one kind are written in a minute, for one job and in total. Omitted lines are counted,
 * and the count is logged at the end of the minute. Thread-safe; keeps at most some thousand counters.
 */
final class FloodBound {
    static final int MOST_OF_A_JOB = 5;
    static final int MOST_OF_A_KIND = 200;
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int MOST_WINDOWS = 2_000;

    private final TimeSource time;
    private final Summary summary;
    private final Map<Subject, Count> counts = new LinkedHashMap<>();

    /** Receives how many lines were left out; an empty job = all jobs of the kind. */
    interface Summary {
        void left(String kind, String job, long lines, Duration within);
    }

    private record Subject(String kind, String job) {}

    private static final class Count {
        private final long since;
        private long admitted;
        private long left;

        private Count(long since) {
            this.since = since;
        }
    }

    FloodBound(TimeSource time, Summary summary) {
        this.time = time;
        this.summary = summary;
    }

    /** Whether a line of this kind may be written for this job now; counts it. */
    synchronized boolean admits(String kind, String job) {
        look();
        Count ofJob = count(kind, job);
        if (ofJob.admitted >= MOST_OF_A_JOB && !job.isEmpty()) {
            ofJob.left++;
            return false;
        }
        Count ofKind = count(kind, "");
        if (ofKind.admitted >= MOST_OF_A_KIND) {
            ofKind.left++;
            return false;
        }
        ofJob.admitted++;
        if (ofKind != ofJob) {
            ofKind.admitted++;
        }
        return true;
    }

    private Count count(String kind, String job) {
        return counts.computeIfAbsent(new Subject(kind, job), subject -> new Count(time.nanos()));
    }

    /** Reports the lines that were left out in past minutes. */
    synchronized void look() {
        long now = time.nanos();
        Iterator<Map.Entry<Subject, Count>> oldest = counts.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<Subject, Count> next = oldest.next();
            boolean over = now - next.getValue().since >= WINDOW.toNanos();
            if (!over && counts.size() <= MOST_WINDOWS) {
                return;
            }
            oldest.remove();
            Subject subject = next.getKey();
            if (next.getValue().left > 0) {
                summary.left(subject.kind(), subject.job(), next.getValue().left, WINDOW);
            }
        }
    }
}
