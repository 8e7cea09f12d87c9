package dev.almanac.engine.request;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FindScope;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobRegister;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cancels the live job of a key (rule M4): a compare-and-set that is tried again if another write was first. */
record Cancellation(Registrar registrar, JobRegister jobs, Node node) {
    private static final Logger LOG = LoggerFactory.getLogger(Cancellation.class);

    /**
     * What was written; empty if there is no such job.
     *
     * @param which judged by what is read and changed: another job of the key may have come meanwhile
     */
    Optional<JobChange> of(String key, CancelMode mode, Predicate<StoredJob> which) {
        for (int i = 0; i < Registrar.MOST_TRIES; i++) {
            Optional<StoredJob> found = jobs.find(key, FindScope.LIVE);
            if (found.isEmpty() && jobs instanceof SharedInserts store) {
                store.writeLeftOutRows(jobs.find(key, FindScope.INCLUDING_FINISHED).stream()
                        .filter(job -> job.lastStatus().outcome() == Outcome.CANCELED && !job.isLive())
                        .toList());
            }
            if (found.isEmpty() || !which.test(found.get())) {
                return Optional.empty();
            }
            JobChange change = RequestDecider.cancel(found.get(), mode == CancelMode.INTERRUPT, registrar.context());
            if (registrar.write(change).isPresent()) {
                if (jobs instanceof SharedInserts) {
                    // in a transaction of the caller the holder cannot read it before the commit
                    notifyHolders(List.of(change.after()), node);
                }
                boolean running = change.after().isLive();
                node.events().emit(new SchedulerEvent.JobCanceled(key, running, registrar.actor()));
                return Optional.of(change);
            }
        }
        throw Registrar.tooManyTries(key);
    }

    static CancelResult result(JobChange change) {
        return change.after().isLive() ? CancelResult.ALREADY_RUNNING : CancelResult.CANCELED;
    }

    /** The holders are to read requests within a second; if they cannot be counted, the next renewals return them. */
    static void notifyHolders(List<StoredJob> written, Node node) {
        boolean elsewhere = written.stream()
                .filter(job -> job.requests().interruptRequested())
                .anyMatch(job -> job.lease() != null && !job.lease().owner().equals(node.id()));
        if (elsewhere) {
            try {
                node.store().cluster().requestInterrupt();
            } catch (StoreException e) {
                LOG.info(
                        "the interrupt of a run could not be announced to its node, which finds it with the next renewal of the lease",
                        e);
            }
        }
    }

    static boolean isOf(StoredJob job, @Nullable String applicationTag) {
        return Objects.equals(job.specification().applicationTag().orElse(null), applicationTag);
    }
}
