package dev.almanac.engine.change;

import dev.almanac.engine.node.JobPages;
import dev.almanac.engine.node.Node;
import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.JobQuery;
import dev.almanac.model.ReplanResult;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans the next fires of many jobs again, page by page (rules C5, T6). Several nodes may do the same at once: each
 * change is a compare-and-set, and a plan that is right stays as it is. Thread-safe.
 */
public final class Replanner {
    /** After so many refused tries the job is busy, and its next plan is made by today's rules anyway. */
    private static final int MOST_TRIES = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Replanner.class);

    private final Node node;
    private final RequestDecider decider;
    private final Consumer<StoredJob> stored;

    /** @param stored is notified of each job that was changed, since it may be due soon */
    public Replanner(Node node, RequestDecider decider, Consumer<StoredJob> stored) {
        this.node = node;
        this.decider = decider;
        this.stored = stored;
    }

    /**
     * @param query which jobs to read, page by page
     * @param concerned which of them to plan again
     * @param why the cause, for the rows of the jobs
     * @param atMost the time after which no further job is planned; a calendar may make a single plan expensive
     */
    ReplanResult replan(JobQuery query, Predicate<StoredJob> concerned, String why, Duration atMost) {
        long began = node.clock().nanos();
        long looked = 0;
        long moved = 0;
        long blocked = 0;
        for (StoredJob job : (Iterable<StoredJob>) JobPages.jobs(node.store(), query)::iterator) {
            if (node.clock().nanos() - began > atMost.toNanos()) {
                return new ReplanResult(looked, moved, blocked, false);
            }
            looked++;
            Optional<StoredJob> after = concerned.test(job) ? replan(job, why) : Optional.empty();
            if (after.isPresent()) {
                moved++;
                blocked += after.get().blocked() == null ? 0 : 1;
            }
        }
        return new ReplanResult(looked, moved, blocked, true);
    }

    /** One whose fires cannot be told, such as for a policy that moves no steps of hours, keeps no other from its plan. */
    private Optional<JobChange> change(StoredJob job, String why) {
        try {
            return decider.replan(job, why, node.moment());
        } catch (IllegalArgumentException e) {
            LOG.warn("job '{}' is not planned again: {}", Printable.value(job.key()), Printable.value(e.getMessage()));
            return Optional.empty();
        }
    }

    private Optional<StoredJob> replan(StoredJob found, String why) {
        StoredJob job = found;
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<JobChange> change = change(job, why);
            if (change.isEmpty()) {
                return Optional.empty();
            }
            StoredJob after = change.get().after();
            if (node.store().write(List.of(change.get())).get(0)) {
                node.events()
                        .emit(new SchedulerEvent.JobReplanned(
                                after.key(), after.plan().nextFireTime(), why));
                stored.accept(after);
                return Optional.of(after);
            }
            List<StoredJob> again = node.store().load(List.of(job.id()));
            if (again.isEmpty() || !again.get(0).isLive()) {
                return Optional.empty();
            }
            job = again.get(0);
        }
        return Optional.empty();
    }
}
