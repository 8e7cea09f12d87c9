package dev.almanac.behaviour;

import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Which documents open transactions have locked. A write of a node to one of them waits for the end of the transaction,
 * with it the rest of its batch, until the time limit of the call. Leases of other jobs are not lost by that (rule X3): a
 * call that hangs here is no fault that costs one.
 */
final class SimulationLocks {
    /** How long the commands of the MongoDB store may take: claims and writes of several jobs, and a write of one. */
    private static final Duration TOGETHER = Duration.ofSeconds(3);

    private static final Duration ALONE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final ManualTime time;
    private final SplittableRandom random;
    private final JobStore truth;
    private final SimulationLedger ledger;
    private final SimulationFaults faults;
    private final SimulationTrace trace;
    /** Which node's call this thread carries; absent = a message that nobody waits for. */
    private final ThreadLocal<ManualLanes.Node> caller = new ThreadLocal<>();
    /** Set while this thread makes a change within a transaction. */
    private final ThreadLocal<Boolean> inside = new ThreadLocal<>();

    private final Map<String, Lock> locks = new HashMap<>();

    private record Lock(String key, Object holder) {}

    SimulationLocks(
            ManualTime time,
            SplittableRandom random,
            JobStore truth,
            SimulationLedger ledger,
            SimulationFaults faults,
            SimulationTrace trace) {
        this.time = time;
        this.random = random;
        this.truth = truth;
        this.ledger = ledger;
        this.faults = faults;
        this.trace = trace;
    }

    /** The transaction that has locked the document; absent = none. */
    @Nullable
    Object holder(String id) {
        Lock lock = locks.get(id);
        return lock == null ? null : lock.holder();
    }

    void lock(StoredJob job, Object holder) {
        locks.put(job.id(), new Lock(job.key(), holder));
        faults.held(job.key());
        trace.write("a transaction has locked " + job.key());
    }

    /** The transaction is over. */
    void release(Object holder) {
        locks.values().stream().filter(lock -> lock.holder() == holder).forEach(lock -> faults.released(lock.key()));
        locks.values().removeIf(lock -> lock.holder() == holder);
    }

    /** A change within a transaction: all its writes are to go there. */
    void inside(Runnable change) {
        inside.set(true);
        try {
            change.run();
        } finally {
            inside.remove();
        }
    }

    /** The calls of a node, which waits for their answers. */
    JobStore from(ManualLanes.Node node, JobStore network) {
        return StoreHook.over(network, (method, arguments, call) -> {
            caller.set(node);
            try {
                return call.proceed();
            } finally {
                caller.remove();
            }
        });
    }

    /** Where the requests of a node arrive. */
    JobStore at(int node, JobStore door) {
        return StoreHook.over(door, (method, arguments, call) -> {
            if (inside.get() != null && Set.of("insert", "write", "writeRows").contains(method)) {
                ledger.complain("a write of a transaction was made outside of it");
            }
            return switch (method) {
                case "claim" -> claim(node, door, (ClaimRequest) arguments[0]);
                case "renew" -> renew(node, door, (Renewal) arguments[0]);
                case "write" ->
                    write(
                            node,
                            door,
                            ((List<?>) arguments[0])
                                    .stream().map(JobChange.class::cast).toList());
                default -> call.proceed();
            };
        });
    }

    private ClaimResult claim(int node, JobStore door, ClaimRequest request) {
        List<String> held = truth.load(locks.keySet()).stream()
                .filter(job -> concerns(request, job))
                .map(StoredJob::id)
                .toList();
        if (held.isEmpty()) {
            return door.claim(request);
        }
        List<String> before = request.entry() == null ? before(request.ids(), held) : List.of();
        List<StoredJob> claimed =
                new ArrayList<>(door.claim(some(request, before)).jobs());
        await(node, held, TOGETHER);
        ClaimResult rest = claim(node, door, some(request, without(request.ids(), before)));
        claimed.addAll(rest.jobs());
        return new ClaimResult(claimed, rest.blocked(), rest.leftToOthers(), rest.groupBusy());
    }

    /** Whether it claims the job, or takes the slot that a lease of the job has left. */
    private static boolean concerns(ClaimRequest request, StoredJob job) {
        boolean left = request.entry() != null
                && job.lease() != null
                && request.entry().slots().contains(String.valueOf(job.lease().slot()));
        boolean due = job.due() != null && !job.due().isAfter(request.horizon());
        return due && (left || request.ids().contains(job.id()));
    }

    private static ClaimRequest some(ClaimRequest request, List<String> ids) {
        return new ClaimRequest(
                ids,
                request.horizon(),
                request.lease(),
                request.visibleAgain(),
                ids.isEmpty() ? null : request.entry());
    }

    private List<HeldLease> renew(int node, JobStore door, Renewal renewal) {
        List<String> held = truth.load(renewal.tokens().keySet()).stream()
                .filter(job -> locks.containsKey(job.id())
                        && job.lease() != null
                        && job.lease().token() == renewal.tokens().get(job.id()))
                .map(StoredJob::id)
                .toList();
        if (held.isEmpty()) {
            return door.renew(renewal);
        }
        List<String> all = renewal.tokens().keySet().stream().sorted().toList();
        List<String> before = before(all, held);
        List<HeldLease> renewed = new ArrayList<>(door.renew(some(renewal, before)));
        await(node, held, renewal.limit() == null ? ALONE : renewal.limit());
        renewed.addAll(renew(node, door, some(renewal, without(all, before))));
        return renewed;
    }

    private static Renewal some(Renewal renewal, List<String> ids) {
        Map<String, Long> tokens = new HashMap<>(renewal.tokens());
        tokens.keySet().retainAll(ids);
        return new Renewal(
                tokens,
                renewal.until(),
                renewal.visibleAgain(),
                renewal.progress(),
                renewal.limit(),
                renewal.secondClient());
    }

    /** In one command: nothing of it is applied before the document is free. */
    private List<Boolean> write(int node, JobStore door, List<JobChange> changes) {
        List<String> held = changes.stream()
                .map(change -> change.before().id())
                .filter(locks::containsKey)
                .toList();
        if (held.isEmpty()) {
            return door.write(changes);
        }
        await(node, held, changes.size() > 1 ? TOGETHER : ALONE);
        return write(node, door, changes);
    }

    /** What a command has reached before the first document that is locked: all others, or none. */
    private List<String> before(Collection<String> ids, List<String> held) {
        return random.nextBoolean() ? List.of() : without(ids, held);
    }

    private static List<String> without(Collection<String> ids, List<String> other) {
        return ids.stream().filter(id -> !other.contains(id)).toList();
    }

    /** @throws StoreException if a document is still locked at the time limit, or nobody waits */
    private void await(int node, List<String> ids, Duration limit) {
        ManualLanes.Node waiting = caller.get();
        faults.hangs(node, limit);
        trace.write("a call of node " + node + " waits for a transaction: " + ids);
        Instant end = time.wall().plus(limit);
        while (ids.stream().anyMatch(locks::containsKey)) {
            if (waiting == null || !time.wall().isBefore(end)) {
                throw new StoreException("a document is locked", new IllegalStateException("by a transaction"));
            }
            waiting.takeTime(PAUSE);
        }
    }

    /** A node that renews all its leases by one command, however often that got no answer. */
    static JobStore renewingTogether(JobStore store) {
        Map<String, Long> all = new HashMap<>();
        return StoreHook.over(store, (method, arguments, call) -> {
            if (!method.equals("renew")) {
                return call.proceed();
            }
            Renewal renewal = (Renewal) arguments[0];
            all.putAll(renewal.tokens());
            return store
                    .renew(new Renewal(
                            Map.copyOf(all),
                            renewal.until(),
                            renewal.visibleAgain(),
                            renewal.progress(),
                            renewal.limit(),
                            renewal.secondClient()))
                    .stream()
                    .filter(lease -> renewal.tokens().containsKey(lease.id()))
                    .toList();
        });
    }
}
