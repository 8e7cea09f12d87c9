package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.node.Repetition;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.runtime.Lane;
import dev.almanac.store.HeldLease;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of what this node holds (rule P3): in bulk, each a third of its length after it was claimed or
 * last renewed. Trust counts from the moment the acknowledged renewal was sent. What is not renewed in time, or not
 * held any more, is lost.
 */
public final class LeaseDuty {
    private final Node node;
    private final HeldJobs jobs;
    private final Reachability reachability;
    private final Repetition repetition;
    private final Repetition watch;

    /** @param watch where it is seen to that trust ends in time, also while a renewal waits for its answer */
    public LeaseDuty(Node node, HeldJobs jobs, Reachability reachability, Lane lane, Lane watch) {
        this.node = node;
        this.jobs = jobs;
        this.reachability = reachability;
        Duration step = node.settings().leaseLength().dividedBy(20);
        this.repetition = new Repetition(lane, step, () -> {
            if (isClockRight()) {
                renewWhatIsOld();
            }
        });
        this.watch = new Repetition(watch, step, this::giveUpWhatIsOver);
    }

    public void start() {
        watch.start();
        repetition.start();
    }

    public void stop() {
        watch.stop();
        repetition.stop();
    }

    private void giveUpWhatIsOver() {
        for (HeldJob held : jobs.all()) {
            if (!held.isTrusted()) {
                jobs.lose(held, "it could not be renewed in time");
            }
        }
    }

    /** The time of a renewal is no wall clock's: a machine that stood still learns first for how long (rule X5). */
    private boolean isClockRight() {
        try {
            return node.clock().confirm(node.store());
        } catch (StoreException e) {
            reachability.failed("asking for the server's time", e);
            return false;
        }
    }

    private void renewWhatIsOld() {
        Duration third = node.settings().leaseLength().dividedBy(3);
        List<HeldJob> old = jobs.all().stream()
                .filter(held -> held.sinceSent().compareTo(third) >= 0)
                .toList();
        if (old.isEmpty()) {
            return;
        }
        Map<String, Long> tokens = new HashMap<>();
        old.forEach(held -> tokens.put(held.id(), held.token()));
        Instant until = node.clock().now().plus(node.settings().leaseLength());
        long sent = node.clock().nanos();
        try {
            Map<String, HeldLease> answer =
                    node
                            .store()
                            .renew(new Renewal(
                                    tokens, until, until.plus(node.settings().margin())))
                            .stream()
                            .collect(Collectors.toMap(HeldLease::id, Function.identity()));
            reachability.answered();
            old.forEach(held -> settle(held, answer.get(held.id()), until, sent));
            Duration took = Duration.ofNanos(node.clock().nanos() - sent);
            node.events().emit(new SchedulerEvent.LeasesRenewed(old.size(), answer.size(), took));
        } catch (StoreException e) {
            reachability.failed("renewing leases", e);
        }
    }

    private void settle(HeldJob held, @Nullable HeldLease lease, Instant until, long sent) {
        if (lease != null) {
            held.renewed(until);
            held.trust(sent, node.trust());
            if (lease.interruptRequested()) {
                held.interrupt();
            }
        } else if (held.state() == HeldJob.State.WAITING || held.state() == HeldJob.State.RUNNING) {
            jobs.lose(held, "another node has taken the job over");
        }
    }
}
