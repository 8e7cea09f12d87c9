package dev.almanac.engine;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.runtime.Lane;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.Lease;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Looks for due jobs and claims them (rules P1, P2, R8, R9). All of its state is confined to its own lane, one step at
 * a time; conversations with the store run beside it and bring their answers back as steps.
 */
final class ClaimDuty {
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    private final Node node;
    private final Dispatcher dispatcher;
    private final Intake intake;
    private final Lane lane;
    private final Lane calls;
    private final DoubtfulClaims doubtful;
    private final LookAhead ahead;
    private final LookPlan looks;
    private final Map<String, Integer> reserved = new HashMap<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicInteger conversations = new AtomicInteger();
    private volatile Runnable competed = () -> {};
    private volatile boolean active;
    private int claimsInFlight;
    private int reservedSlots;
    private Lane.@Nullable Alarm alarm;

    ClaimDuty(Node node, Dispatcher dispatcher, Intake intake, Lane lane, Lane calls) {
        this.node = node;
        this.dispatcher = dispatcher;
        this.intake = intake;
        this.lane = lane;
        this.calls = calls;
        this.doubtful = new DoubtfulClaims(node, dispatcher, calls);
        this.ahead = new LookAhead(node.settings().lead(), node.settings().stealAfter());
        this.looks = new LookPlan(
                node.settings().pollInterval(),
                2 * node.settings().claimBatch(),
                node.clock().nanos());
    }

    /** Who is told when another node was first with jobs that this node wanted. */
    void onCompetition(Runnable told) {
        this.competed = told;
    }

    /** From now on this node claims. */
    void start() {
        active = true;
        wake();
    }

    /** From now on it claims nothing; what is being claimed at this moment is handed back when it arrives. */
    void stop() {
        active = false;
    }

    /** Something has changed, such as a slot that is free. */
    void wake() {
        if (active && woken.compareAndSet(false, true)) {
            lane.run(this::step);
        }
    }

    /** A job that this node has just stored: if it is due soon, there is no need to wait for the next look. */
    void hint(DueJob job) {
        if (active && intake.types().contains(job.type())) {
            lane.run(() -> {
                if (!job.due().isAfter(node.clock().now().plus(node.settings().lookAhead()))) {
                    ahead.add(job);
                    wake();
                }
            });
        }
    }

    /** Which partitions this node prefers from now on, of all there are. */
    void prefer(Set<Integer> mine, Set<Integer> all) {
        lane.run(() -> {
            ahead.prefer(mine);
            looks.prefer(mine, all);
            wake();
        });
    }

    /** This node cannot run the job; it leaves it to others for a while. */
    void shun(String id, Duration pause) {
        Instant until = node.clock().now().plus(pause);
        lane.run(() -> ahead.shun(id, until));
    }

    /** Whether nothing is being asked of the store. */
    boolean isIdle() {
        return conversations.get() == 0;
    }

    private void step() {
        woken.set(false);
        if (!active) {
            return;
        }
        boolean took = true;
        while (took && claimsInFlight < node.settings().claimsInFlight()) {
            took = claimSome();
        }
        boolean hungry = !took && freeSlots() > 0;
        looks.next(node.clock().nanos(), hungry, ahead.taken()).ifPresent(this::begin);
        rest();
    }

    private boolean claimSome() {
        int limit = Math.min(freeSlots(), node.settings().claimBatch());
        Map<String, Integer> taking = new HashMap<>();
        List<DueJob> jobs = ahead.take(node.clock().now(), limit, type -> room(type, taking), node.random());
        if (jobs.isEmpty()) {
            return false;
        }
        claimsInFlight++;
        reservedSlots += jobs.size();
        taking.forEach((type, count) -> reserved.merge(type, count, Integer::sum));
        conversations.incrementAndGet();
        calls.run(() -> claim(jobs));
        return true;
    }

    private boolean room(String type, Map<String, Integer> taking) {
        Integer limit = intake.typeLimits().get(type);
        int used = intake.book().ofType(type) + reserved.getOrDefault(type, 0) + taking.getOrDefault(type, 0);
        if (limit != null && used >= limit) {
            return false;
        }
        taking.merge(type, 1, Integer::sum);
        return true;
    }

    private int freeSlots() {
        return node.settings().maxConcurrentRuns() - intake.book().size() - reservedSlots;
    }

    /** Until the next look, or until the next job comes near if there is room for it. */
    private void rest() {
        long nanos = Math.min(looks.untilNext(node.clock().nanos()), LONGEST_REST.toNanos());
        Instant next = ahead.nextTake();
        boolean mayTake = freeSlots() > 0 && claimsInFlight < node.settings().claimsInFlight();
        if (next != null && mayTake && next.isAfter(node.clock().now())) {
            nanos = Math.min(nanos, Duration.between(node.clock().now(), next).toNanos());
        }
        if (alarm != null) {
            alarm.cancel();
        }
        alarm = lane.after(Duration.ofNanos(Math.max(nanos, 1_000_000)), this::wake);
    }

    private void begin(LookPlan.Look look) {
        ahead.lookBegins();
        conversations.incrementAndGet();
        calls.run(() -> {
            DueQuery query = new DueQuery(
                    intake.types(),
                    look.partitions(),
                    node.settings().minPriority(),
                    node.settings().maxPriority(),
                    node.clock().now().plus(node.settings().lookAhead()),
                    look.limit());
            try {
                List<DueJob> found = node.store().due(query);
                intake.reachability().answered();
                lane.run(() -> found(look, found));
            } catch (StoreException e) {
                Duration pause = intake.reachability().failed("looking for due jobs", e);
                lane.run(() -> {
                    looks.failed(node.clock().nanos(), pause);
                    wake();
                });
            } finally {
                conversations.decrementAndGet();
            }
        });
    }

    private void found(LookPlan.Look look, List<DueJob> jobs) {
        ahead.replace(look.partitions(), jobs);
        looks.found(look, jobs);
        wake();
    }

    private void claim(List<DueJob> jobs) {
        Instant now = node.clock().now();
        Lease lease = new Lease(
                node.id(), node.random().nextLong(), now.plus(node.settings().leaseLength()));
        ClaimRequest request = new ClaimRequest(
                jobs.stream().map(DueJob::id).toList(),
                now.plus(node.settings().lead()),
                lease,
                lease.until().plus(node.settings().margin()));
        long sent = node.clock().nanos();
        try {
            ClaimResult result = node.store().claim(request);
            intake.reachability().answered();
            accept(result, sent, jobs.size());
        } catch (StoreException e) {
            intake.reachability().failed("claiming", e);
            doubtful.add(request);
        } finally {
            conversations.decrementAndGet();
            lane.run(() -> claimEnded(jobs));
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

    private void claimEnded(List<DueJob> jobs) {
        claimsInFlight--;
        reservedSlots -= jobs.size();
        for (DueJob job : jobs) {
            ahead.settle(job.id());
            reserved.merge(job.type(), -1, Integer::sum);
        }
        wake();
    }
}
