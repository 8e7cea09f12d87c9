package dev.almanac.mongo;

import dev.almanac.model.JobExecutionStatus;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ids of rows that this process has had acknowledged outside transactions, the newest ones (rule N3): the next change of
 * their job need not ask whether they are stored. And the rows that documents of this process have ceased to show before
 * they could be stored. Thread-safe.
 */
final class KnownRows {
    private static final int MOST = 10_000;

    private final Set<String> ids = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    });

    private final Map<String, JobExecutionStatus> owed = new LinkedHashMap<>();

    synchronized void add(List<JobExecutionStatus> rows) {
        rows.forEach(row -> ids.add(row.id()));
    }

    /** They are to be stored later. */
    synchronized void owe(List<JobExecutionStatus> rows) {
        rows.forEach(row -> owed.putIfAbsent(row.id(), row));
    }

    /** Some of those that are to be stored. */
    synchronized List<JobExecutionStatus> owed(int most) {
        return owed.values().stream().limit(most).toList();
    }

    synchronized void settled(List<JobExecutionStatus> rows) {
        rows.forEach(row -> owed.remove(row.id()));
    }

    synchronized List<JobExecutionStatus> unknown(List<JobExecutionStatus> rows) {
        return rows.stream().filter(row -> !ids.contains(row.id())).toList();
    }
}
