package dev.almanac.engine.request;

import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Closes open failures, of live jobs and of jobs that have ended (rule S19). */
final class Acknowledgements {
    private final JobStore store;
    private final Registrar registrar;

    Acknowledgements(JobStore store, Registrar registrar) {
        this.store = store;
        this.registrar = registrar;
    }

    /** Those of all jobs of its key that belong to its application: an earlier one may have failed, too. */
    Item of(StoredJob newest, boolean dryRun) {
        String key = newest.key();
        Stream<String> failed = store.rows(RowQuery.ofKey(key, Reruns.ROWS_READ)).stream()
                .filter(JobExecutionStatus::isFailedFire)
                .map(JobExecutionStatus::jobSpecificationId);
        List<String> ids =
                Stream.concat(Stream.of(newest.id()), failed).distinct().toList();
        Optional<String> application = newest.specification().applicationTag();
        List<StoredJob> own = store.load(ids).stream()
                .filter(job -> job.specification().applicationTag().equals(application))
                .toList();
        return of(key, own, dryRun);
    }

    /** @param jobs some of this key */
    Item of(String key, Collection<StoredJob> jobs, boolean dryRun) {
        int open = jobs.stream().mapToInt(job -> job.plan().failuresInARow()).sum();
        if (open == 0) {
            return new Item(key, Result.UNCHANGED, "has no open failure");
        }
        boolean all = true;
        for (StoredJob job : dryRun ? List.<StoredJob>of() : jobs) {
            all &= write(job);
        }
        return all
                ? new Item(key, Result.DONE, RequestDecider.acknowledged(open))
                : new Item(key, Result.REFUSED, "has failed again meanwhile");
    }

    /**
     * Nothing is written if none of its failures is open, perhaps by now.
     *
     * @param job as the user has seen it
     * @return false if it has failed again since, or others change it all the time
     */
    boolean write(StoredJob job) {
        List<StoredJob> now = List.of(job);
        for (int i = 0; i < Registrar.MOST_TRIES && !now.isEmpty(); i++) {
            StoredJob found = now.get(0);
            if (found.plan().failuresInARow() > job.plan().failuresInARow()) {
                return false;
            }
            var change = RequestDecider.acknowledge(found, registrar.context());
            if (change.isEmpty() || registrar.write(change.get()).isPresent()) {
                return true;
            }
            now = store.load(List.of(job.id()));
        }
        return now.isEmpty();
    }
}
