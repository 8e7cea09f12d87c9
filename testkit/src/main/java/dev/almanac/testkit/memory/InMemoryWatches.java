package dev.almanac.testkit.memory;

import dev.almanac.store.JobWatch;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** The open watches of a store in memory. */
final class InMemoryWatches {
    private final List<Open> open = new CopyOnWriteArrayList<>();

    JobWatch open(Set<String> types) {
        Open watch = new Open(Set.copyOf(types));
        open.add(watch);
        return watch;
    }

    /** A job was stored, or changed by a user. */
    void report(StoredJob job, Instant now) {
        Instant due = job.due();
        if (due != null && !due.isAfter(now.plus(JobWatch.SOON))) {
            open.forEach(watch -> watch.report(job));
        }
    }

    private final class Open implements JobWatch {
        private final Set<String> types;
        private final AtomicBoolean anyDue = new AtomicBoolean();

        Open(Set<String> types) {
            this.types = types;
        }

        void report(StoredJob job) {
            if (types.contains(job.command().type())) {
                anyDue.set(true);
            }
        }

        @Override
        public boolean anyDue() {
            return anyDue.getAndSet(false);
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }
}
