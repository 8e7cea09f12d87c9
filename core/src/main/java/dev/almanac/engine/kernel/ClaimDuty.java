package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.rules.Decision;
import dev.almanac.model.GroupLimits;
import dev.almanac.runtime.Lane;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Looks for due jobs and claims them (rules P1, P2, R8, R9). Its state is the kernel's; calls of the store run beside it and
 * bring their answers back as steps.
 */
public final class ClaimDuty {
    /** While a known job waits: nothing notifies this duty when its pause, or that after a failed call, is over. */
    private static final Duration SHORT_REST = Duration.ofSeconds(1);
    /** How many claimed jobs are decided before other steps. */
    private static final int SLICE = 64;

    private final Node node;
    private final Dispatcher dispatcher;
    private final Slots slots;
    private final ControlView view;
    private final StoreCalls calls;
    private final GroupEntry groups;
    private final DoubtfulClaims doubtful;
    private final Duration longestRest;
    /** The claims of which it is not known yet what they have claimed; they outlast a restart of the kernel. */
    private final Set<Claim> claims = new LinkedHashSet<>();

    /** Any thread may ask which jobs are left alone. */
    private volatile LookAhead ahead;

    private LookPlan looks;
    private Hints hints;
    private SingleCall<List<DueJob>> look;
    private SingleCall<Boolean> control;
    private SingleCall<Boolean> clock;
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile boolean active;
    private final Signals signals;
    private boolean stopped;
    private int claimsInFlight;
    private long claimsPausedUntil;
    private long givenUpUntil;
    private final Duration soonStored;
    private final Duration soonAgain;
    private Pauses pauses = Pauses.NONE;
    private Map<String, GroupLimits> limits = Map.of();
    private Lane.Alarm alarm = () -> {};
    private Set<Integer> preferred = Set.of();
    private Set<Integer> partitions = Set.of();

    public ClaimDuty(
            Node node, Dispatcher dispatcher, Slots slots, ControlView view, StoreCalls calls, Signals signals) {
        this.node = node;
        this.signals = signals;
        this.dispatcher = dispatcher;
        this.slots = slots;
        this.view = view;
        this.calls = calls;
        this.groups = new GroupEntry(node, view, slots);
        this.givenUpUntil = node.clock().nanos();
        this.doubtful = new DoubtfulClaims(node, calls);
        Duration interval = node.settings().pollInterval();
        this.soonStored = interval.multipliedBy(2);
        this.soonAgain = interval.dividedBy(2).plus(node.settings().stealAfter());
        this.longestRest = interval.compareTo(SHORT_REST) > 0 ? interval : SHORT_REST;
        knowNothing();
    }

    private void knowNothing() {
        long now = node.clock().nanos();
        ahead = new LookAhead(node.settings().lead(), node.settings().stealAfter());
        looks = new LookPlan(node.settings().pollInterval(), node.settings().claimBatch(), now);
        hints = new Hints(node, slots, view, ahead, looks);
        look = new SingleCall<>("looking for due jobs", calls, node.clock()::nanos);
        control = new SingleCall<>("reading what is paused", calls, node.clock()::nanos);
        clock = new SingleCall<>("reading the server's time", calls, node.clock()::nanos);
        claimsPausedUntil = givenUpUntil - now > 0 ? givenUpUntil : now;
        pauses = Pauses.NONE;
        limits = Map.of();
        woken.set(false);
    }

    /** The kernel begins again: what is due is looked for again, and what was being claimed is asked for. */
    public void beginAgain() {
        calls.beginAgain();
        knowNothing();
        ahead.prefer(preferred);
        looks.prefer(preferred, partitions);
        claimsInFlight = 0;
        List<Claim> open = List.copyOf(claims);
        slots.beginAgain(open.stream().flatMap(Claim::types).toList());
        open.forEach(Claim::goOn);
        wake();
    }

    /** What was being claimed is left to expire, and nothing is claimed for a while. */
    public void giveUp(Duration pause) {
        claims.clear();
        givenUpUntil = node.clock().nanos() + pause.toNanos();
    }

    /** Begins to claim, unless {@link #stop} was called before; returns whether it claims. */
    public synchronized boolean start() {
        active = !stopped;
        wake();
        return active;
    }

    /** Stops claiming; jobs whose claim is under way are released when the answer arrives. */
    public synchronized void stop() {
        stopped = true;
        active = false;
    }

    /** A slot has become free, and with it the slot of the job's exclusive group. */
    public void released(StoredJob job) {
        String group = job.specification().exclusiveGroup().orElse(null);
        if (group != null && active) {
            calls.step(() -> ahead.groups().free(group));
        }
        wake();
    }

    /** Looks again now, since something has changed, such as a slot that became free. */
    void wake() {
        if (active && woken.compareAndSet(false, true)) {
            calls.step(this::step);
        }
    }

    /** A user of this node has stored a job: if it is due soon, there is no need to wait for the next look. */
    public void stored(StoredJob job) {
        hint(job, soonStored);
    }

    /**
     * A job that this node has run is planned again; if it is due before other nodes look, this node claims it again.
     */
    public void plannedAgain(StoredJob job) {
        hint(job, soonAgain);
    }

    /** Jobs that others have stored, or that users have changed, may be due immediately. */
    public void dueElsewhere() {
        calls.step(() -> hints.elsewhere(calls, this::askControl, this::wake));
    }

    private void hint(StoredJob job, Duration own) {
        if (active && hints.concern(job)) {
            calls.step(() -> hints.take(job, own, this::wake));
        }
    }

    /** A user has changed pauses, groups or calendars through this node. */
    public void controlChanged() {
        calls.step(this::askControl);
    }

    /** Sets the partitions that this node prefers, and all partitions. */
    public void prefer(Set<Integer> own, Set<Integer> all) {
        calls.step(() -> {
            preferred = own;
            partitions = all;
            ahead.prefer(own);
            looks.prefer(own, all);
            wake();
        });
    }

    /** This node cannot run the job and leaves it to other nodes for a while. */
    public void backOff(String id, Duration pause, String why) {
        calls.step(() -> ahead.backOff().add(id, node.clock().now().plus(pause), why));
    }

    /** Why this node leaves a job to others for a while, and until when; empty if it does not. Any thread may call this. */
    public Optional<String> leavesAlone(String id) {
        return ahead.backOff().words(id, node.clock().now());
    }

    /** Whether no call of the store is under way, and no claim is in doubt. */
    public boolean isIdle() {
        return calls.underWay() == 0 && claims.isEmpty();
    }

    private void step() {
        woken.set(false);
        if (!active) {
            return;
        }
        ahead.at(node.clock().now());
        notePauses();
        boolean waitsForUsers =
                view.holdsAny() || ahead.groups().holdAny(node.clock().now());
        if (waitsForUsers && !view.isFresh()) {
            // while nothing else is asked for, only this call shows a resume or an edit of a group
            askControl();
        }
        boolean took = true;
        while (took && claimsInFlight < node.settings().claimsInFlight() && mayClaim()) {
            took = claimSome();
        }
        lookIfNeeded(!took && slots.free() > 0);
        rest();
    }

    /** Pauses have changed: known due jobs, and the result of a look under way, may be outdated. */
    private void notePauses() {
        Pauses now = view.pauses();
        if (!now.equals(pauses)) {
            pauses = now;
            ahead.forget();
            looks.atOnce(node.clock().nanos());
        }
        Map<String, GroupLimits> edited = view.groupLimits();
        if (!edited.equals(limits)) {
            ahead.groups().forget();
        }
        // the same reading is then compared by identity
        limits = edited;
    }

    /**
     * Whether server time and pauses are known and fresh; if they are not and a job is to be taken, they are asked for.
     */
    private boolean mayClaim() {
        if (!node.clock().isTrusted()) {
            // with a wrong clock, jobs may be claimed early, or their leases misjudged
            clock.ask(() -> node.clock().confirm(node.store()), right -> {}, this::wake);
            return false;
        }
        if (node.clock().nanos() - claimsPausedUntil < 0 || node.history().isBehind()) {
            return false;
        }
        boolean fresh = view.isFresh();
        Instant next = fresh ? null : ahead.nextTake(slots::hasRoom);
        if (next != null && !next.isAfter(node.clock().now()) && slots.free() > 0) {
            askControl();
        }
        return fresh;
    }

    private void askControl() {
        control.ask(
                () -> {
                    view.refresh();
                    return true;
                },
                done -> {},
                this::wake);
    }

    private boolean claimSome() {
        int limit = Math.min(slots.free(), ahead.backOff().most(node.settings().claimBatch()));
        boolean ownFirst = looks.awaitsPreferred(pauses.open(slots.typesWithRoom()));
        List<DueJob> jobs =
                ahead.take(node.clock().now(), limit, ownFirst, slots::hasRoom, slots::reserve, node.random());
        ahead.backOff().apart(jobs).forEach(this::claim);
        if (!jobs.isEmpty()) {
            looks.taken();
        }
        return !jobs.isEmpty();
    }

    private void claim(List<DueJob> jobs) {
        claimsInFlight++;
        Claim claim = new Claim(new ClaimCall(node, groups, jobs));
        claims.add(claim);
        claim.ask();
    }

    /** Until the next look, or until the next job comes near if there is room for it, or a pause ends. */
    private void rest() {
        Instant now = node.clock().now();
        Set<String> types = pauses.open(slots.typesWithRoom());
        Instant next = ahead.nextTake(slots::hasRoom);
        boolean waits = next != null && !next.isAfter(now);
        long nanos = Math.min(
                Math.max(look.untilAsked(), looks.untilNext(node.clock().nanos(), types)),
                (waits ? SHORT_REST : longestRest).toNanos());
        boolean mayTake = slots.free() > 0 && claimsInFlight < node.settings().claimsInFlight();
        if (next != null && mayTake && next.isAfter(now)) {
            nanos = untilOr(nanos, now, next);
        }
        if (ahead.groups().holdAny(now) || types.isEmpty() && view.holdsAny()) {
            nanos = Math.min(nanos, Math.max(view.untilStale(), control.untilAsked()));
        }
        Instant end = pauses.nextEnd();
        if (end != null) {
            nanos = untilOr(nanos, now, end);
        }
        long paused = claimsPausedUntil - node.clock().nanos();
        nanos = paused > 0 ? Math.min(nanos, paused) : nanos;
        alarm.cancel();
        alarm = calls.stepAfter(Duration.ofNanos(Math.max(nanos, 1_000_000)), this::step);
    }

    /** Until that moment, which may be thousands of years ahead; at most {@code nanos}. */
    private static long untilOr(long nanos, Instant now, Instant moment) {
        return moment.isBefore(now.plusNanos(nanos))
                ? Duration.between(now, moment).toNanos()
                : nanos;
    }

    private void lookIfNeeded(boolean hungry) {
        if (!look.mayBeAsked()) {
            return;
        }
        Instant now = node.clock().now();
        int besides = ahead.claiming() + ahead.backOff().count(now);
        looks.next(node.clock().nanos(), pauses.open(slots.typesWithRoom()), hungry, besides)
                .ifPresent(next -> begin(next, now));
    }

    private void begin(LookPlan.Look next, Instant now) {
        ahead.lookBegins(now);
        Pauses held = pauses;
        DueQuery query = new DueQuery(
                next.types(),
                held.tags(),
                ahead.groupsToLeaveOut(now),
                next.partitions(),
                node.settings().minPriority(),
                node.settings().maxPriority(),
                now.plus(node.settings().lookAhead()),
                next.limit());
        look.ask(
                () -> node.store().due(query),
                found -> {
                    looks.found(next, found);
                    if (held.equals(pauses)) {
                        ahead.replace(query, found);
                    }
                },
                this::wake);
    }

    /** A claim, which keeps its slots until its result is known. */
    private final class Claim implements StoreCalls.Outcome<ClaimCall.Answer> {
        private final ClaimCall call;
        /** The pauses by which its jobs were chosen. */
        private final Pauses decidedBy = pauses;

        private Lane.Alarm limit = () -> {};
        private boolean inFlight = true;
        /** Whether its slots were freed without its answer, which is used if it comes while its window is open. */
        private boolean isLate;
        /** Whether its call was handed to a thread, and has not ended. */
        private volatile boolean isAsked;

        /** The jobs of it that are this node's, or were: they are not begun again. */
        private final Set<String> begun = new HashSet<>();

        Claim(ClaimCall call) {
            this.call = call;
        }

        Stream<String> types() {
            return call.jobs().stream().map(DueJob::type);
        }

        void ask() {
            awaitAnswer();
            Supplier<ClaimCall.Answer> asking = () -> {
                try {
                    return call.ask();
                } finally {
                    isAsked = false;
                }
            };
            isAsked = true;
            try {
                calls.askLasting(Reachability.CLAIMS, asking, this);
            } catch (Error noMemory) {
                isAsked = false;
                throw noMemory;
            }
        }

        private void awaitAnswer() {
            String group = call.group();
            if (group != null) {
                ahead.groups().claiming(group, node.clock().now());
            }
            limit = calls.afterLimit(this::slow);
        }

        /** The kernel begins again. The step that was to use the answer may be lost: then what was claimed is asked for. */
        void goOn() {
            ClaimRequest request = call.request();
            if (request != null) {
                call.jobs().stream()
                        .map(DueJob::id)
                        .filter(id -> slots.holds(id, request.lease().token()))
                        .forEach(begun::add);
            }
            if (!isAsked) {
                inFlight = false;
                doubt();
            } else if (inFlight) {
                claimsInFlight++;
                ahead.claiming(call.jobs());
                awaitAnswer();
            } else {
                awaitEnd();
            }
        }

        @Override
        public void slow() {
            landed();
            ahead.groups().free(call.group());
            awaitEnd();
            wake();
        }

        /** After the length of a lease it cannot hold any job. */
        private void awaitEnd() {
            calls.stepAfter(node.settings().leaseLength(), () -> {
                call.jobs().forEach(job -> ahead.claimEnded(job.id()));
                isLate = true;
                release();
            });
        }

        private void landed() {
            if (inFlight) {
                inFlight = false;
                claimsInFlight--;
            }
        }

        @Override
        public void answered(ClaimCall.Answer answer) {
            if (!claims.contains(this) && !isLate) {
                // given up: what it has claimed expires
                return;
            }
            limit.cancel();
            ClaimCall.Result result = call.result(answer);
            take(answer.jobs(), 0, answer.sent(), () -> {
                release();
                note(result);
            });
        }

        /** Begins with what was claimed, a slice at a time, so that timers do not wait. */
        private void take(List<StoredJob> jobs, int from, long sent, Runnable then) {
            int to = Math.min(jobs.size(), from + SLICE);
            for (StoredJob job : jobs.subList(from, to)) {
                if (!begun.contains(job.id())) {
                    dispatcher.accept(job, sent);
                    begun.add(job.id());
                }
            }
            if (to < jobs.size()) {
                calls.stepAfter(Duration.ZERO, () -> take(jobs, to, sent, then));
            } else {
                then.run();
            }
        }

        private void note(ClaimCall.Result result) {
            boolean outdated = !decidedBy.equals(pauses);
            for (DueJob job : call.jobs()) {
                ahead.backOff().answered(job.id());
                if (result == ClaimCall.Result.GROUP_BUSY && !outdated) {
                    ahead.putBack(job);
                } else {
                    ahead.claimEnded(job.id());
                }
            }
            if (outdated) {
                // a look shows whether they may be claimed by now
                looks.atOnce(node.clock().nanos());
            }
            Instant later = node.clock().now().plus(Decision.LEFT_TO_OTHERS);
            call.leftToOthers().forEach(job -> ahead.backOff().add(job.id(), later, job.reason()));
            ahead.groupAnswered(call, result, slots, view, node.clock().now());
            ahead.answered(call.jobs(), result);
            if (result == ClaimCall.Result.COMPETED) {
                signals.competed();
            }
            wake();
        }

        @Override
        public void failed(Duration pause) {
            if (!claims.contains(this)) {
                return;
            }
            limit.cancel();
            isAsked = false;
            landed();
            ahead.groups().free(call.group());
            List<String> ids = call.jobs().stream().map(DueJob::id).toList();
            ids.forEach(ahead::claimEnded);
            if (ids.size() == 1) {
                ahead.backOff().unanswered(ids.get(0), node.clock().now());
            } else {
                ahead.backOff().suspect(ids, node.clock().now());
                claimsPausedUntil = node.clock().nanos() + pause.toNanos();
            }
            doubt();
            wake();
        }

        private void doubt() {
            ClaimRequest request = call.request();
            if (request == null) {
                release();
            } else {
                doubtful.add(request, answer -> take(answer.jobs(), 0, answer.sent(), this::release));
            }
        }

        private void release() {
            landed();
            if (claims.remove(this)) {
                slots.release(types().toList());
            }
            wake();
        }
    }
}
