package dev.almanac.engine.change;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FindScope;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobRegister;
import dev.almanac.store.StoredJob;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Cancels the live job of a key (rule M4): a compare-and-set that is repeated if another change came first. */
record Cancellation(Registrar registrar, JobRegister jobs, RequestDecider decider, Node node) {
    /**
     * @param which whether the job that was read is to be cancelled; it may be another job of the key than the caller
     * knew
     */
    CancelResult cancel(String key, CancelMode mode, Predicate<StoredJob> which) {
        for (int i = 0; i < Registrar.MOST_TRIES; i++) {
            Optional<StoredJob> found = jobs.find(key, FindScope.LIVE);
            if (found.isEmpty() && jobs instanceof SharedInserts store) {
                store.writeLeftOutRow(key);
            }
            if (found.isEmpty() || !which.test(found.get())) {
                return CancelResult.NOT_FOUND;
            }
            JobChange change = decider.cancel(found.get(), mode == CancelMode.INTERRUPT, registrar.moment());
            boolean running = change.after().isLive();
            if (registrar.write(change).isPresent()) {
                node.events().tell(new SchedulerEvent.JobCanceled(key, running, registrar.actor()));
                return running ? CancelResult.ALREADY_RUNNING : CancelResult.CANCELED;
            }
        }
        throw Registrar.tooManyTries(key);
    }

    static boolean isOf(StoredJob job, @Nullable String applicationTag) {
        return Objects.equals(job.specification().applicationTag(), applicationTag);
    }
}
