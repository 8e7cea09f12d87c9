package dev.almanac.engine.port;

import dev.almanac.helper.Execution;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Puts the run into the diagnostic context of this thread for log lines (rule O4), and restores the previous context
 * afterwards, since the executor's thread may have one of its own.
 */
public final class RunLog {
    private static final String JOB = "job";
    private static final String FIRE_TIME = "fireTime";
    private static final String ATTEMPT = "attempt";

    /** A fire time as text, which is wanted more than once for each run. */
    private record Shown(Instant fire, String text) {
        private static volatile Shown last = new Shown(Instant.EPOCH, Instant.EPOCH.toString());

        static String text(Instant fire) {
            Shown known = last;
            if (!known.fire.equals(fire)) {
                known = new Shown(fire, fire.toString());
                last = known;
            }
            return known.text;
        }
    }

    private RunLog() {}

    /** Within that of the job: runs the action with the context of the run that the helper is called for. */
    public static void during(Execution run, StoredJob job, Runnable action) {
        if (run.fireTime().equals(job.plan().nextFireTime()) && run.attempt() == attempt(job)) {
            action.run();
        } else {
            during(run.jobSpecificationKey(), run.fireTime(), run.attempt(), action);
        }
    }

    /** Runs the action with the context of the job's planned or present fire. */
    public static void during(StoredJob job, Runnable action) {
        during(job.key(), job.plan().nextFireTime(), attempt(job), action);
    }

    private static int attempt(StoredJob job) {
        return job.plan().attempts() + 1;
    }

    private static void during(String key, @Nullable Instant fire, int attempt, Runnable action) {
        String jobBefore = MDC.get(JOB);
        String fireBefore = MDC.get(FIRE_TIME);
        String attemptBefore = MDC.get(ATTEMPT);
        String fireTime = fire == null ? "" : Shown.text(fire);
        String number = Integer.toString(attempt);
        if (key.equals(jobBefore) && fireTime.equals(fireBefore) && number.equals(attemptBefore)) {
            action.run();
            return;
        }
        put(key, fireTime, number);
        try {
            action.run();
        } finally {
            put(jobBefore, fireBefore, attemptBefore);
        }
    }

    private static void put(@Nullable String job, @Nullable String fireTime, @Nullable String attempt) {
        put(JOB, job);
        put(FIRE_TIME, fireTime);
        put(ATTEMPT, attempt);
    }

    private static void put(String name, @Nullable String value) {
        if (value == null) {
            MDC.remove(name);
        } else {
            MDC.put(name, value);
        }
    }
}
