package dev.almanac.engine.claim;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.run.Dispatcher;
import dev.almanac.runtime.Lane;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Looks for due jobs and claims them (rules P1, P2, R8, R9). All of its state is confined to its own lane, one step at
 * a time; conversations with the store run beside it and bring their answers back as steps.
 */
public final class ClaimDuty {
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    private final Node node;
    private final Intake intake;
    private final Lane lane;
    private final Lane calls;
    private final ClaimCall claimCall;
    private final LookAhead ahead;
    private final LookPlan looks;
    private final Slots slots;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicInteger conversations = new AtomicInteger();
    private volatile boolean active;
    private boolean stopped;
    private int claimsInFlight;
    private boolean asking;
    /** How often what is held back has changed. */
    private int controlReads;

    private Lane.@Nullable Alarm alarm;

    public ClaimDuty(Node node, Dispatcher dispatcher, Intake intake, Lane lane, Lane calls) {
        this.node = node;
        this.intake = intake;
        this.lane = lane;
        this.calls = calls;
        this.claimCall = new ClaimCall(node, dispatcher, intake, calls);
        this.slots = new Slots(node.settings().maxConcurrentRuns(), intake);
        this.ahead = new LookAhead(node.settings().lead(), node.settings().stealAfter());
        this.looks = new LookPlan(
                node.settings().pollInterval(),
                node.settings().claimBatch(),
                node.clock().nanos());
    }

    /** Who is told when another node was first with jobs that this node wanted. */
    public void onCompetition(Runnable told) {
        claimCall.onCompetition(told);
    }

    /** From now on this node claims, unless it was told before to claim no more; whether it does. */
    public synchronized boolean start() {
        active = !stopped;
        wake();
        return active;
    }

    /** From now on it claims nothing; what is being claimed at this moment is handed back when it arrives. */
    public synchronized void stop() {
        stopped = true;
        active = false;
    }

    /** A slot is free, and with it the exclusive group of the job that had it. */
    public void released(StoredJob job) {
        String group = job.specification().exclusiveGroup();
        if (group != null && active) {
            lane.run(() -> ahead.groups().free(group));
        }
        wake();
    }

    /** Something has changed, such as a slot that is free. */
    void wake() {
        if (active && woken.compareAndSet(false, true)) {
            lane.run(this::step);
        }
    }

    /** A job that this node has just stored: if it is due soon, there is no need to wait for the next look. */
    public void hint(StoredJob job, int partition) {
        Instant due = job.due();
        boolean claims = node.settings().claims(job.specification().priority());
        if (!active
                || due == null
                || !claims
                || !intake.types().contains(job.command().type())) {
            return;
        }
        DueJob known = LookAhead.due(job, due, partition);
        lane.run(() -> {
            boolean soon = !due.isAfter(node.clock().now().plus(node.settings().lookAhead()));
            if (soon && !intake.control().pauses().hold(job)) {
                ahead.add(known);
                wake();
            }
        });
    }

    /** Users of this node have changed what is held back. */
    public void controlChanged() {
        lane.run(this::askControl);
    }

    /** Which partitions this node prefers from now on, of all there are. */
    public void prefer(Set<Integer> mine, Set<Integer> all) {
        lane.run(() -> {
            ahead.prefer(mine);
            looks.prefer(mine, all);
            wake();
        });
    }

    /** This node cannot run the job; it leaves it to others for a while. */
    public void shun(String id, Duration pause) {
        Instant until = node.clock().now().plus(pause);
        lane.run(() -> ahead.shun(id, until));
    }

    /** Whether nothing is being asked of the store. */
    public boolean isIdle() {
        return conversations.get() == 0;
    }

    private void step() {
        woken.set(false);
        if (!active) {
            return;
        }
        boolean took = true;
        while (took && claimsInFlight < node.settings().claimsInFlight() && mayClaim()) {
            took = claimSome();
        }
        boolean hungry = !took && slots.free() > 0;
        looks.next(node.clock().nanos(), hungry, ahead.taken()).ifPresent(this::begin);
        rest();
    }

    /** Whether it is known what is held back; if that has grown old and something is to be taken, it is asked. */
    private boolean mayClaim() {
        if (node.clock().wasSet()) {
            claimCall.clockWasSet(); // what is claimed by a wrong clock may not be due, or not be held
            return false;
        }
        boolean fresh = intake.control().isFresh();
        Instant next = fresh ? null : ahead.nextTake();
        if (next != null && !next.isAfter(node.clock().now()) && slots.free() > 0) {
            askControl();
        }
        return fresh;
    }

    private void askControl() {
        if (asking) {
            return;
        }
        asking = true;
        conversations.incrementAndGet();
        calls.run(() -> {
            try {
                boolean changed = intake.control().read();
                intake.reachability().answered();
                lane.run(() -> controlRead(changed));
            } catch (StoreException e) {
                Duration pause = intake.reachability().failed("reading what is paused", e);
                lane.after(pause, () -> controlRead(false));
            } finally {
                conversations.decrementAndGet();
            }
        });
    }

    /** What is known of due jobs, and what a look brings that is under way, may be held back now. */
    private void controlRead(boolean changed) {
        asking = false;
        if (changed) {
            controlReads++;
            ahead.forget();
            looks.atOnce(node.clock().nanos());
        }
        wake();
    }

    private boolean claimSome() {
        int limit = Math.min(slots.free(), node.settings().claimBatch());
        List<DueJob> jobs = ahead.take(node.clock().now(), limit, slots.rooms(), node.random());
        if (jobs.isEmpty()) {
            return false;
        }
        List<DueJob> free = jobs.stream().filter(job -> job.group() == null).toList();
        if (!free.isEmpty()) {
            converse(free);
        }
        jobs.stream().filter(job -> job.group() != null).forEach(job -> converse(List.of(job)));
        return true;
    }

    /** Jobs of exclusive groups are claimed one by one: a group that is busy must not take others with it. */
    private void converse(List<DueJob> jobs) {
        claimsInFlight++;
        conversations.incrementAndGet();
        calls.run(() -> {
            boolean busy = false;
            try {
                busy = claimCall.claim(jobs);
            } finally {
                boolean groupBusy = busy;
                conversations.decrementAndGet();
                lane.run(() -> claimEnded(jobs, groupBusy));
            }
        });
    }

    /** Until the next look, or until the next job comes near if there is room for it. */
    private void rest() {
        long nanos = Math.min(looks.untilNext(node.clock().nanos()), LONGEST_REST.toNanos());
        Instant next = ahead.nextTake();
        boolean mayTake = slots.free() > 0 && claimsInFlight < node.settings().claimsInFlight();
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
        if (intake.control().holdsAny() && !intake.control().isFresh()) {
            askControl();
        }
        int known = controlReads;
        Set<String> busy = ahead.groups().names(node.clock().now());
        conversations.incrementAndGet();
        calls.run(() -> {
            try {
                List<DueJob> found = node.store().due(query(look, busy));
                intake.reachability().answered();
                lane.run(() -> found(look, busy, known == controlReads ? found : List.of()));
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

    private DueQuery query(LookPlan.Look look, Set<String> busy) {
        Pauses pauses = intake.control().pauses();
        return new DueQuery(
                pauses.open(intake.types()),
                pauses.tags(),
                busy,
                look.partitions(),
                node.settings().minPriority(),
                node.settings().maxPriority(),
                node.clock().now().plus(node.settings().lookAhead()),
                look.limit());
    }

    private void found(LookPlan.Look look, Set<String> busy, List<DueJob> jobs) {
        ahead.replace(look.partitions(), busy, jobs);
        looks.found(look, jobs);
        wake();
    }

    private void claimEnded(List<DueJob> jobs, boolean groupBusy) {
        claimsInFlight--;
        slots.release(jobs.stream().map(DueJob::type).toList());
        for (DueJob job : jobs) {
            ahead.settle(job.id());
            String group = job.group();
            if (group != null && groupBusy) {
                ahead.groups().found(group, node.clock().now());
                ahead.giveBack(job);
            } else if (group != null) {
                ahead.groups().free(group);
            }
        }
        wake();
    }
}
