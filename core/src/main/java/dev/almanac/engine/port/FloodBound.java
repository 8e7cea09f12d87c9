package dev.almanac.engine.port;

import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits how many log lines of one kind are written in a minute, for one job and in total. Omitted lines are counted,
 * and the count is logged at the end of the minute. A job has a counter once a line of it was written, so there are no
 * more counters than lines of two minutes. Thread-safe.
 */
final class FloodBound {
    static final int MOST_OF_A_JOB = 5;
    static final int MOST_OF_A_KIND = 200;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final TimeSource time;
    private final Summary summary;
    private final Map<Subject, Count> kinds = new LinkedHashMap<>();
    private final Map<Subject, Count> jobs = new LinkedHashMap<>();

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
        Subject subject = new Subject(kind, job);
        Count ofJob = jobs.get(subject);
        if (ofJob != null && ofJob.admitted >= MOST_OF_A_JOB) {
            ofJob.left++;
            return false;
        }
        Count ofKind = counted(kinds, new Subject(kind, ""));
        if (ofKind.admitted >= MOST_OF_A_KIND) {
            ofKind.left++;
            return false;
        }
        ofKind.admitted++;
        if (!job.isEmpty()) {
            counted(jobs, subject).admitted++;
        }
        return true;
    }

    private Count counted(Map<Subject, Count> counts, Subject subject) {
        return counts.computeIfAbsent(subject, first -> new Count(time.nanos()));
    }

    /** Reports the lines that were left out in past minutes. */
    synchronized void look() {
        report(jobs);
        report(kinds);
    }

    private void report(Map<Subject, Count> counts) {
        long now = time.nanos();
        Iterator<Map.Entry<Subject, Count>> oldest = counts.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<Subject, Count> next = oldest.next();
            if (now - next.getValue().since < WINDOW.toNanos()) {
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
