package dev.almanac.engine;

import dev.almanac.helper.Execution;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Says in the diagnostic context of this thread whose run it is that logs (rule O4). What the context held before comes
 * back: an executor may call on a thread that has a context of its own.
 */
final class RunLog {
    private static final List<String> NAMES = List.of("job", "fireTime", "attempt");

    private RunLog() {}

    /** The run that a helper is called for. */
    static void during(Execution run, Runnable action) {
        during(values(run.jobSpecificationKey(), run.fireTime(), run.attempt()), action);
    }

    /** The run that the job's plan comes to next, or is in. */
    static void during(StoredJob job, Runnable action) {
        during(values(job.key(), job.plan().nextFireTime(), job.plan().attempts() + 1), action);
    }

    private static void during(Map<String, String> values, Runnable action) {
        Map<String, String> before = new HashMap<>();
        NAMES.forEach(name -> before.put(name, MDC.get(name)));
        put(values);
        try {
            action.run();
        } finally {
            put(before);
        }
    }

    private static Map<String, String> values(String key, @Nullable Instant fire, int attempt) {
        String time = fire == null ? "" : fire.toString();
        return Map.of("job", key, "fireTime", time, "attempt", String.valueOf(attempt));
    }

    private static void put(Map<String, String> values) {
        for (String name : NAMES) {
            String value = values.get(name);
            if (value == null) {
                MDC.remove(name);
            } else {
                MDC.put(name, value);
            }
        }
    }
}
