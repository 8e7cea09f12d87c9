package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.DueJob;
import dev.almanac.store.Lease;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One claim (rules P1, P2): a thread asks the store, and the kernel uses the answer, however late it comes: the trust in a
 * lease counts from the moment at which the claim was sent.
 */
final class ClaimCall {
    private final Node node;
    private final List<DueJob> jobs;
    private final GroupEntry groups;
    private final long decided;
    private @Nullable Instant rateUntil;
    private volatile @Nullable ClaimRequest request;
    private List<DamagedJob> leftToOthers = List.of();

    /**
     * What came of asking.
     *
     * @param result absent = the store was not asked, since the group lets no job in, or since this came too late
     * @param rateUntil when the rate of the group allows the next claim; absent = the rate was not the reason
     * @param sent when the claim was sent, by the monotonic clock
     */
    record Answer(@Nullable ClaimResult result, @Nullable Instant rateUntil, long sent) {
        /** What was claimed. */
        List<StoredJob> jobs() {
            return result == null ? List.of() : result.jobs();
        }
    }

    /** The result of a claim that was answered. */
    enum Result {
        /** All jobs were claimed, or their documents cannot be read by any node. */
        WON,
        /** Some jobs were changed first, by another node or a user. */
        COMPETED,
        /** The group is busy, or its rate is used up, or it was not asked for a long time; nothing was claimed. */
        GROUP_BUSY
    }

    /** @param jobs without exclusive groups, or a single one of a group */
    ClaimCall(Node node, GroupEntry groups, List<DueJob> jobs) {
        this.node = node;
        this.groups = groups;
        this.jobs = jobs;
        this.decided = node.clock().nanos();
    }

    List<DueJob> jobs() {
        return jobs;
    }

    /** The exclusive group of the single job; absent = none of them has one. */
    @Nullable
    String group() {
        return jobs.get(0).group();
    }

    /** When the rate of the group allows the next claim; absent = the rate was not the reason. */
    @Nullable
    Instant rateUntil() {
        return rateUntil;
    }

    /** Jobs that were claimed but cannot be read by this node; they were released. */
    List<DamagedJob> leftToOthers() {
        return leftToOthers;
    }

    /** The request; absent if none was sent. */
    @Nullable
    ClaimRequest request() {
        return request;
    }

    /**
     * Asks the store; on a thread of its own.
     *
     * @throws dev.almanac.store.StoreException if it is unknown which jobs were claimed
     */
    Answer ask() {
        if (node.clock().nanos() - decided >= LeaseDuty.limit(node).toNanos()) {
            // it waited for a thread: pauses, groups and the identity of this node may be others by now
            return new Answer(null, null, 0);
        }
        String group = group();
        GroupEntry.Way way = group == null ? null : groups.of(group, jobs.get(0));
        if (way != null && way.entry() == null) {
            return new Answer(null, way.until(), 0);
        }
        long sent = node.clock().nanos();
        Instant now = node.clock().at(sent);
        Lease lease = new Lease(
                node.id(), node.random().nextLong(), now.plus(node.settings().leaseLength()));
        ClaimRequest asked = new ClaimRequest(
                jobs.stream().map(DueJob::id).toList(),
                now.plus(node.settings().lead()),
                lease,
                lease.until().plus(node.settings().margin()),
                way == null ? null : way.entry());
        request = asked;
        ClaimResult result = node.store().claim(asked);
        if (way != null && answered(result) == 0) {
            groups.unused(way);
        }
        if (!result.groupBusy()) {
            Duration took = Duration.ofNanos(node.clock().nanos() - sent);
            node.events()
                    .emit(new SchedulerEvent.BatchClaimed(
                            jobs.size(), result.jobs().size(), took));
        }
        return new Answer(result, null, sent);
    }

    private static int answered(ClaimResult result) {
        return result.jobs().size()
                + result.blocked().size()
                + result.leftToOthers().size();
    }

    /** Takes note of the answer; what was claimed is this node's from here. */
    Result result(Answer answer) {
        ClaimResult result = answer.result();
        rateUntil = answer.rateUntil();
        if (result == null || result.groupBusy()) {
            return Result.GROUP_BUSY;
        }
        result.blocked().forEach(job -> node.events().emit(new SchedulerEvent.JobBlocked(job.key(), job.reason())));
        leftToOthers = result.leftToOthers();
        for (DamagedJob job : leftToOthers) {
            node.events().emit(new SchedulerEvent.ClaimReleased(job.key(), job.reason()));
            // nothing else shows a job that no live node can read
            node.events()
                    .failures()
                    .add("reading claimed jobs", new IllegalStateException("job '" + job.key() + "': " + job.reason()));
        }
        return answered(result) >= jobs.size() ? Result.WON : Result.COMPETED;
    }
}
