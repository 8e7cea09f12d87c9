package dev.almanac.engine.request;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.JobAction.SeenFailures;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.NewestFailures;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Closes open failures, of live jobs and of jobs that have ended (rule S19). */
final class Acknowledgements {
    static final String AGAIN = "has failed again meanwhile";

    private final Node node;
    private final Registrar registrar;

    Acknowledgements(Node node, Registrar registrar) {
        this.node = node;
        this.registrar = registrar;
    }

    /**
     * Those of all jobs of its key that belong to its application: an earlier one may have failed, too.
     *
     * @param seen the open failures of the newest one that the user has seen; absent = all are meant
     */
    Item of(StoredJob newest, @Nullable SeenFailures seen, boolean dryRun) {
        String key = newest.key();
        Stream<String> failed = node.store().rows(RowQuery.ofKey(key, Reruns.ROWS_READ)).stream()
                .filter(JobExecutionStatus::isFailedFire)
                .map(JobExecutionStatus::jobSpecificationId);
        List<String> ids =
                Stream.concat(Stream.of(newest.id()), failed).distinct().toList();
        Optional<String> application = newest.specification().applicationTag();
        List<StoredJob> own = node.store().load(ids).stream()
                .filter(job -> job.specification().applicationTag().equals(application))
                .toList();
        return own.stream().anyMatch(job -> job.id().equals(newest.id()) && hasFailedSince(node, job, seen))
                ? again(key)
                : of(key, own, dryRun);
    }

    /** As {@link #of(StoredJob, SeenFailures, boolean)}, of this document alone. */
    Item ofOne(StoredJob job, @Nullable SeenFailures seen, boolean dryRun) {
        return hasFailedSince(node, job, seen) ? again(job.key()) : of(job.key(), List.of(job), dryRun);
    }

    /**
     * Whether a failure of the job is open that a user has not seen: there may be as many as then, and others. The count
     * tells of those whose rows are not stored yet and that no document shows any more.
     */
    static boolean hasFailedSince(Node node, StoredJob job, @Nullable SeenFailures seen) {
        int open = job.plan().failuresInARow();
        return seen != null && open > 0 && (open > seen.count() || hasFailedSince(node, job, seen.at()));
    }

    /** Whether the job has failed for good after a moment. */
    boolean hasFailedSince(StoredJob job, Instant moment) {
        return hasFailedSince(node, job, moment);
    }

    private static boolean hasFailedSince(Node node, StoredJob job, Instant moment) {
        return job.lastStatus().updatedTime().isAfter(moment)
                && NewestFailures.hasFailed(job.id(), moment, null, query -> node.rows(job, query));
    }

    static Item again(String key) {
        return new Item(key, Result.REFUSED, AGAIN);
    }

    private Item of(String key, Collection<StoredJob> jobs, boolean dryRun) {
        int open = jobs.stream().mapToInt(job -> job.plan().failuresInARow()).sum();
        if (open == 0) {
            if (!dryRun) {
                registrar.writeLeftOutRows(jobs);
            }
            return new Item(key, Result.UNCHANGED, "has no open failure");
        }
        boolean all = true;
        for (StoredJob job : dryRun ? List.<StoredJob>of() : jobs) {
            all &= write(job);
        }
        return all ? new Item(key, Result.DONE, RequestDecider.acknowledged(open)) : again(key);
    }

    /**
     * Nothing is written if none of its failures is open, perhaps by now.
     *
     * @param job as the user has seen it
     * @return false if it has failed again since, or others change it all the time
     */
    boolean write(StoredJob job) {
        SeenFailures seen =
                new SeenFailures(job.plan().failuresInARow(), job.lastStatus().updatedTime());
        List<StoredJob> now = List.of(job);
        for (int i = 0; i < Registrar.MOST_TRIES && !now.isEmpty(); i++) {
            StoredJob found = now.get(0);
            if (hasFailedSince(node, found, seen)) {
                return false;
            }
            var change = RequestDecider.acknowledge(found, registrar.context());
            if (change.isEmpty()) {
                registrar.writeLeftOutRows(now);
                return true;
            }
            if (registrar.write(change.get()).isPresent()) {
                node.events()
                        .emit(new SchedulerEvent.FailuresAcknowledged(
                                found.key(), found.plan().failuresInARow(), registrar.actor()));
                return true;
            }
            now = node.store().load(List.of(job.id()));
        }
        return now.isEmpty();
    }
}
