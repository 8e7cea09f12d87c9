package dev.almanac.behaviour;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobList;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreReport;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A store whose network loses requests, loses replies, and delivers requests late or twice, as a seed says. What is
 * lost is told to the caller as a real store tells it: by an exception that leaves the outcome open.
 */
final class LossyStore implements JobStore {
    private final JobStore store;
    private final SplittableRandom random;
    private final BiConsumer<Duration, Runnable> later;
    private final Runnable crash;
    private double loss;

    /**
     * @param later runs an action after a delay, outside of any node
     * @param crash ends the node that uses this network
     */
    LossyStore(JobStore store, long seed, double loss, BiConsumer<Duration, Runnable> later, Runnable crash) {
        this.store = store;
        this.random = new SplittableRandom(seed);
        this.loss = loss;
        this.later = later;
        this.crash = crash;
    }

    /** From now on the network is sound. */
    void heal() {
        loss = 0;
    }

    private <T> T send(Supplier<T> call) {
        double draw = random.nextDouble();
        if (draw < loss * 0.3) {
            throw lost("the request was lost");
        }
        if (draw < loss * 0.6) {
            call.get();
            throw lost("the reply was lost");
        }
        if (draw < loss * 0.9) {
            later.accept(Duration.ofMillis(random.nextLong(12_000)), () -> ignoringRefusal(call));
            throw lost("the request is late");
        }
        if (draw < loss) {
            later.accept(Duration.ofMillis(random.nextLong(12_000)), () -> ignoringRefusal(call));
        }
        return call.get();
    }

    private static void ignoringRefusal(Supplier<?> call) {
        try {
            call.get();
        } catch (IllegalStateException refused) {
            // nobody waits for this answer
        }
    }

    private static StoreException lost(String what) {
        return new StoreException(what, new IllegalStateException(what));
    }

    @Override
    public CommandCodec commandCodec() {
        return store.commandCodec();
    }

    @Override
    public StoreReport open() {
        return store.open();
    }

    @Override
    public Instant serverTime() {
        return store.serverTime();
    }

    @Override
    public List<Boolean> insert(List<NewJob> jobs) {
        return store.insert(jobs);
    }

    @Override
    public Optional<StoredJob> find(String jobSpecificationKey, FindScope scope) {
        return store.find(jobSpecificationKey, scope);
    }

    @Override
    public List<StoredJob> load(Collection<String> ids) {
        return send(() -> store.load(ids));
    }

    @Override
    public JobList list(JobQuery query) {
        return store.list(query);
    }

    @Override
    public List<JobExecutionStatus> rows(RowQuery query) {
        return send(() -> store.rows(query));
    }

    @Override
    public List<DueJob> due(DueQuery query) {
        return send(() -> store.due(query));
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return send(() -> store.claim(request));
    }

    @Override
    public List<HeldLease> renew(Renewal renewal) {
        return send(() -> store.renew(renewal));
    }

    @Override
    public List<Boolean> write(List<JobChange> changes) {
        if (random.nextDouble() < loss * 0.3) {
            changes.forEach(this::tear);
            if (random.nextBoolean()) {
                crash.run();
            }
            throw lost("the node or the server went down between the rows and the document");
        }
        return send(() -> store.write(changes));
    }

    /** Of a change that writes its rows first, only the rows arrive. */
    private void tear(JobChange change) {
        if (change.order() == JobChange.Order.ROWS_FIRST) {
            StoredJob nobody = change.before()
                    .with(edit -> edit.specification(change.before().specification().toBuilder()
                            .version(-1)
                            .build()));
            store.write(List.of(new JobChange(nobody, change.after(), change.rows(), null, change.order())));
        }
    }

    @Override
    public ClusterStore cluster() {
        return store.cluster();
    }

    @Override
    public long purge(Instant now, int limit) {
        return 0;
    }
}
