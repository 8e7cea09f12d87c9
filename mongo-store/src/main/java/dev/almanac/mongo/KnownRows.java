package dev.almanac.mongo;

import dev.almanac.model.JobExecutionStatus;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ids of rows that this process has had acknowledged outside transactions, the newest ones (rule N3): the next change of
 * their job need not ask whether they are stored. Thread-safe.
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

    synchronized void add(List<JobExecutionStatus> rows) {
        rows.forEach(row -> ids.add(row.id()));
    }

    synchronized List<JobExecutionStatus> unknown(List<JobExecutionStatus> rows) {
        return rows.stream().filter(row -> !ids.contains(row.id())).toList();
    }
}
