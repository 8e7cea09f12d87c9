package dev.almanac.engine.kernel;

import dev.almanac.engine.port.JobPages;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.RateDecider;
import dev.almanac.model.JobQuery;
import dev.almanac.model.Rate;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.DueJob;
import dev.almanac.store.GroupSlots;
import dev.almanac.store.StoredGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides by which slot a job enters its exclusive group, and when, if the group has a rate. The argument is in the
 * package's description. Thread-safe.
 */
final class GroupEntry {
    private static final int MOST_TRIES = 5;
    private static final Duration CONTENDED = Duration.ofMillis(20);

    private final Node node;
    private final ControlView view;
    private final Slots slots;
    /** Claims that this node has counted itself; newer than what it has read. */
    private final Map<String, StoredGroup> counted = new ConcurrentHashMap<>();

    /** How long the last count took. */
    private volatile Duration took = Duration.ZERO;

    /** Counts of claims that were refused, with their ends; each may be used for another claim until then. */
    private final Map<String, Long> spare = new ConcurrentHashMap<>();

    /**
     * How a claim enters its group.
     *
     * @param entry the slots to try; absent = the job is not to be claimed now
     * @param until when it may be tried again, if the rate decides that; else absent
     * @param counted until when the claim may be made by its count, by the monotonic clock; absent = the group has no rate
     */
    record Way(
            ClaimRequest.@Nullable Entry entry,
            @Nullable Instant until,
            @Nullable Long counted) {
        static Way closed(@Nullable Instant until) {
            return new Way(null, until, null);
        }
    }

    GroupEntry(Node node, ControlView view, Slots slots) {
        this.node = node;
        this.view = view;
        this.slots = slots;
    }

    /**
     * @throws dev.almanac.store.StoreException if the store does not answer; claims may have been counted that were not
     * made
     */
    Way of(String name, DueJob job) {
        StoredGroup group = newest(name);
        Rate rate = group.limits().rate();
        List<String> candidates = order(group, job);
        if (rate == null || candidates.isEmpty()) {
            return way(job, name, candidates, null);
        }
        Long left = spare.remove(name);
        if (left != null && isUsable(left)) {
            return way(job, name, candidates, left);
        }
        Instant until = RateDecider.count(rate, group.use(), node.clock().now()).until();
        if (until != null) {
            return Way.closed(until);
        }
        // no claim is counted while the group is full
        candidates.removeAll(held(name, job));
        return candidates.isEmpty() ? Way.closed(null) : count(name, job, candidates);
    }

    /** The claim was certainly refused: its count can be used for another claim. */
    void unused(Way way) {
        if (way.counted() != null && way.entry() != null) {
            spare.put(way.entry().group(), way.counted());
        }
    }

    private boolean isUsable(long counted) {
        return node.clock().nanos() - counted < 0;
    }

    private static Way way(DueJob job, String group, List<String> free, @Nullable Long counted) {
        return free.isEmpty()
                ? Way.closed(null)
                : new Way(new ClaimRequest.Entry(group, job.slot(), free), null, counted);
    }

    /**
     * The slot that the job still holds first, then the others in random order, without those that runs of this node
     * hold.
     */
    private List<String> order(StoredGroup group, DueJob job) {
        Set<String> taken = slots.groupSlots();
        List<String> order = new ArrayList<>();
        for (String slot : GroupSlots.names(group.name(), group.slots())) {
            if (!taken.contains(slot)) {
                order.add(slot);
            }
        }
        Collections.shuffle(order, new Random(node.random().nextLong()));
        if (job.slot() != null && order.remove(job.slot())) {
            order.add(0, job.slot());
        }
        return order;
    }

    private Set<String> held(String group, DueJob job) {
        Instant horizon = node.clock().now().plus(node.settings().lead());
        return JobPages.jobs(node.store(), JobQuery.ofRunningGroup(group))
                .filter(holder -> !holder.id().equals(job.id())
                        && holder.keepsSlotAt(horizon, node.settings().margin()))
                .map(holder -> Objects.requireNonNull(holder.lease()).slot())
                .collect(Collectors.toSet());
    }

    /** Counts one claim before it is made; one that cannot be used at once is counted, too. */
    private Way count(String name, DueJob job, List<String> free) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            StoredGroup group = newest(name);
            Rate rate = group.limits().rate();
            if (rate == null) {
                return way(job, name, free, null);
            }
            long decided = node.clock().nanos();
            Duration permit = RateDecider.permit(rate, took);
            RateDecider.Verdict verdict =
                    RateDecider.count(rate, group.use(), node.clock().at(decided), permit);
            if (verdict.next() == null) {
                return Way.closed(verdict.until());
            }
            if (node.store().cluster().countClaims(group, verdict.next())) {
                counted.put(name, group.with(verdict.next()));
                took = Duration.ofNanos(node.clock().nanos() - decided);
                long until = decided + permit.toNanos();
                return isUsable(until)
                        ? way(job, name, free, until)
                        : Way.closed(node.clock().now());
            }
            // another node has counted, or a person has edited the group or set its count back: its own count is void
            counted.remove(name, group);
            view.refresh();
        }
        return Way.closed(node.clock().now().plus(CONTENDED));
    }

    private StoredGroup newest(String name) {
        StoredGroup read = view.group(name);
        StoredGroup own = counted.get(name);
        boolean newer = own != null
                && own.version() == read.version()
                && own.use().number() > read.use().number();
        if (own != null && !newer) {
            counted.remove(name, own);
        }
        return newer ? own : read;
    }
}
