package dev.almanac.engine.claim;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.run.Dispatcher;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.runtime.Lane;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.DueJob;
import dev.almanac.store.Lease;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Claims jobs in one conversation with the store, and gives the dispatcher what was won (rules P1, P2). */
final class ClaimCall {
    private final Node node;
    private final Dispatcher dispatcher;
    private final Intake intake;
    private final DoubtfulClaims doubtful;
    private volatile Runnable competed = () -> {};

    ClaimCall(Node node, Dispatcher dispatcher, Intake intake, Lane calls) {
        this.node = node;
        this.dispatcher = dispatcher;
        this.intake = intake;
        this.doubtful = new DoubtfulClaims(node, dispatcher, calls);
    }

    /** Who is told when another node was first with jobs that this node wanted. */
    void onCompetition(Runnable told) {
        this.competed = told;
    }

    /** Whoever knows better what time it is may measure it now. */
    void clockWasSet() {
        competed.run();
    }

    /**
     * @param jobs without exclusive groups, or a single one of a group
     * @return whether the group was busy
     */
    boolean claim(List<DueJob> jobs) {
        Instant now = node.clock().now();
        Lease lease = new Lease(
                node.id(), node.random().nextLong(), now.plus(node.settings().leaseLength()));
        ClaimRequest request = new ClaimRequest(
                jobs.stream().map(DueJob::id).toList(),
                now.plus(node.settings().lead()),
                lease,
                lease.until().plus(node.settings().margin()),
                jobs.get(0).group());
        long sent = node.clock().nanos();
        try {
            ClaimResult result = node.store().claim(request);
            intake.reachability().answered();
            if (!result.groupBusy()) {
                accept(result, sent, jobs.size());
            }
            return result.groupBusy();
        } catch (StoreException e) {
            intake.reachability().failed("claiming", e);
            doubtful.add(request);
            return false;
        }
    }

    private void accept(ClaimResult result, long sent, int asked) {
        Duration took = Duration.ofNanos(node.clock().nanos() - sent);
        node.events().emit(new SchedulerEvent.BatchClaimed(asked, result.jobs().size(), took));
        result.setAside().forEach(job -> node.events().emit(new SchedulerEvent.JobSetAside(job.key(), job.reason())));
        dispatcher.accept(result.jobs(), sent);
        if (result.jobs().size() + result.setAside().size() < asked) {
            competed.run();
        }
    }
}
