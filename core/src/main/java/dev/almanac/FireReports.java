package dev.almanac;

import dev.almanac.model.FireReport;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * What became of the planned fires of many jobs, as {@link Scheduler#fires} says it of one, with few reads of the store for
 * all of them. Thread-safe.
 */
public final class FireReports {
    private final SchedulerNode scheduler;

    FireReports(SchedulerNode scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Reports of some jobs. Of their rows 3 000 are in memory at a time.
     *
     * @param jobs which were read just now, a page of some hundreds
     * @param since the first instant of interest
     * @param reader of the report of each job, in any order
     */
    public void read(Collection<StoredJob> jobs, Instant since, Consumer<FireReport> reader) {
        scheduler.fires(jobs, since, reader);
    }
}
