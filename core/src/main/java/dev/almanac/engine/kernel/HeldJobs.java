package dev.almanac.engine.kernel;

import dev.almanac.engine.port.EventStream;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.runtime.Lane;
import dev.almanac.store.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The claims that this node holds, by document; their number is the number of slots in use. A claim takes a slot when it
 * begins and gives it back once: when it was recorded or released, or when its lease was lost. The kernel changes them;
 * any thread may read how many they are and which, and may report that a lease is lost.
 */
public final class HeldJobs {
    private final Map<String, HeldJob> held = new ConcurrentHashMap<>();
    private final Map<String, Integer> byType = new HashMap<>();
    private final int slots;
    private final LongSupplier nanos;
    private final EventStream events;
    private final Lane kernel;
    private final Signals signals;
    private volatile @Nullable Long fullSince;

    /**
     * @param slots how many claims may be held at a time
     * @param nanos the monotonic clock
     */
    public HeldJobs(int slots, LongSupplier nanos, EventStream events, Lane kernel, Signals signals) {
        this.slots = slots;
        this.nanos = nanos;
        this.events = events;
        this.kernel = kernel;
        this.signals = signals;
    }

    /**
     * Adds a claim, which takes a slot. While the lease of an older claim of the job is certain to hold, a further claim
     * is granted only after the end of the older one is stored: then that end is not acknowledged yet. Otherwise the
     * lease of the older claim is lost.
     *
     * @return false if this claim is held already, or a later one, since the answer to this one came very late: that one
     *     goes on, and nothing begins
     */
    boolean begin(HeldJob job) {
        HeldJob older = held.get(job.id());
        if (older != null && older.fencingNumber() >= job.fencingNumber()) {
            return false;
        }
        if (older != null && older.state() == HeldJob.State.ENDING && older.checkWindow()) {
            end(older);
        } else if (older != null) {
            drop(older, "this node has claimed the job again");
        }
        held.put(job.id(), job);
        byType.merge(job.type(), 1, Integer::sum);
        noteFull();
        signals.slotTaken();
        return true;
    }

    /** Removes a claim that was recorded or released; false if it was removed before, such as by a further claim. */
    boolean end(HeldJob job) {
        boolean ended = job.end() != HeldJob.State.OVER;
        if (ended) {
            free(job);
        }
        return ended;
    }

    /** A lease is lost, by any thread; if the step is lost, the next look at the windows finds this one closed. */
    void lose(HeldJob job, String reason) {
        job.close();
        kernel.run(() -> drop(job, reason));
    }

    /** The kernel begins again: what was being removed is removed, and the others are counted again. */
    public void beginAgain() {
        for (HeldJob job : all()) {
            if (job.state() == HeldJob.State.OVER && held.remove(job.id(), job)) {
                job.reportLost();
            }
        }
        byType.clear();
        all().forEach(job -> byType.merge(job.type(), 1, Integer::sum));
        noteFull();
    }

    /** Nothing that is held is held any more. */
    public void loseAll(String reason) {
        for (HeldJob job : all()) {
            job.close();
            drop(job, reason);
        }
    }

    /** Removes a claim whose lease is lost: the run is asked to end, and nothing more is written. */
    void drop(HeldJob job, String reason) {
        HeldJob.State before = job.end();
        if (before == HeldJob.State.OVER) {
            return;
        }
        Instant fire = job.job().plan().nextFireTime();
        events.emit(new SchedulerEvent.LeaseLost(
                job.job().key(),
                fire == null ? Instant.EPOCH : fire,
                job.fencingNumber(),
                before == HeldJob.State.RUNNING,
                reason));
        job.reportLost();
        free(job);
    }

    /** Once for each claim; a further claim of the job may have taken its place in the map already. */
    private void free(HeldJob job) {
        held.remove(job.id(), job);
        byType.merge(job.type(), -1, Integer::sum);
        noteFull();
        signals.slotFreed(job.job());
    }

    private void noteFull() {
        if (held.size() < slots) {
            fullSince = null;
        } else if (fullSince == null) {
            fullSince = nanos.getAsLong();
        }
    }

    /** For how long no slot has been free; zero if one is free. */
    public Duration fullFor() {
        Long since = fullSince;
        return since == null ? Duration.ZERO : Duration.ofNanos(nanos.getAsLong() - since);
    }

    /** How many claims are held. */
    public int size() {
        return held.size();
    }

    /** How many claims of jobs of a command type are held. */
    int ofType(String type) {
        return byType.getOrDefault(type, 0);
    }

    /** Whether the claim with that token is held. */
    boolean holds(String id, long token) {
        HeldJob job = held.get(id);
        return job != null && job.token() == token;
    }

    /** Whether the claim of a job is held. */
    boolean holds(String id) {
        return held.containsKey(id);
    }

    /** The slots of exclusive groups that are held with the claims. */
    Set<String> groupSlots() {
        return held.values().stream()
                .map(job -> job.job().lease())
                .filter(lease -> lease != null && lease.slot() != null)
                .map(Lease::slot)
                .collect(Collectors.toSet());
    }

    Collection<HeldJob> all() {
        return List.copyOf(held.values());
    }
}
