package dev.almanac.engine.kernel;

import dev.almanac.engine.port.BoundedCalls;
import dev.almanac.engine.port.CalendarBook;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.PeriodicStep;
import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.rules.BatchSplit;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Progress;
import dev.almanac.store.HeldLease;
import dev.almanac.store.Lease;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Renews the leases of what this node holds (rule P3): in bulk, each after a third of its trust window. Trust counts
 * from the moment the acknowledged renewal was sent. What is not renewed in time, or not held any more, is lost.
 *
 * <p>A renewal may take a sixth of the window (rule X3). A batch that was not renewed by then is split, down to commands
 * of one lease, alternately over the second and the first connection, so that a document that stalls delays no other lease.
 */
public final class LeaseDuty {
    /** How many commands of a split batch are sent at a time. */
    private static final int PARTS_AT_A_TIME = 64;

    private static final String READING = "reading whether runs are to be interrupted";
    private static final String CANCELLED = "reading who cancelled a run";
    private static final String MEASURING = "reading the server's time";

    private final Node node;
    private final HeldJobs jobs;
    private final Reachability reachability;
    private final Executor threads;
    private final PeriodicStep repetition;
    private final PeriodicStep watch;
    private final RepeatedWhile control;
    private final Map<HeldJob, Try> tries = new HashMap<>();
    private final Kernel kernel;
    private final BoundedCalls reading;
    private final BoundedCalls measuring;
    private final StartGate gate;
    private final CompletionDuty completions;
    private final OpenCalls calls;

    /** What is renewed by one command of a batch that was split. */
    private record Part(List<HeldJob> held, Try own) {}

    /**
     * A renewal that is under way or has failed.
     *
     * @param sent when it was sent, by the monotonic clock
     * @param failures how often in a row it has failed before
     * @param together with how many leases it shares a command, at most
     */
    private record Try(long sent, int failures, boolean underWay, int together) {
        Try next(long now) {
            return new Try(now, failures + 1, true, BatchSplit.next(together));
        }

        Try ended() {
            return new Try(sent, failures, false, together);
        }
    }

    /**
     * @param threads where calls to the store may hang
     * @param gate where it is read whether runs are to be interrupted
     * @param completions is notified of each claim that is held still
     */
    public LeaseDuty(
            Node node,
            HeldJobs jobs,
            Reachability reachability,
            Kernel kernel,
            Executor threads,
            StartGate gate,
            CompletionDuty completions,
            OpenCalls calls) {
        this.node = node;
        this.jobs = jobs;
        this.reachability = reachability;
        this.kernel = kernel;
        this.threads = threads;
        this.gate = gate;
        this.completions = completions;
        this.calls = calls;
        this.reading = new BoundedCalls(READING, 1, threads, node.events().failures());
        this.measuring = new BoundedCalls(MEASURING, 1, threads, node.events().failures());
        Duration step = node.trust().dividedBy(20);
        this.repetition = new PeriodicStep(kernel, step, this::renewByClock);
        this.watch = new PeriodicStep(kernel, step, this::dropWhatIsOver);
        this.control = new RepeatedWhile(
                kernel, CalendarBook.FRESH, () -> jobs.size() > 0 && this.watch.isActive(), this::readControl);
    }

    /** Something is held, so it is read whether it is to be interrupted. */
    public void slotTaken() {
        control.begin();
    }

    /** A node that runs something and claims nothing would read a request to interrupt only with its next renewal (rule 16). */
    private void readControl() {
        if (!gate.isFresh()) {
            reading.begin(() -> ask(READING, gate::refresh));
        }
    }

    /** Without an answer, the next step asks again, or a renewal shows it. */
    private void ask(String what, Runnable call) {
        try {
            call.run();
        } catch (StoreException e) {
            reachability.failed(what, e);
        }
    }

    /**
     * A user has requested that a run is interrupted, perhaps one of this node. The caller, who may wait for the store, reads
     * which one if no other thread can: this is not signalled again.
     */
    public void readInterrupts() {
        Runnable read = () -> ask(CANCELLED, this::interruptWhatIsAsked);
        try {
            threads.execute(read);
        } catch (RuntimeException | Error noThread) {
            node.events().failures().add(CANCELLED, noThread);
            read.run();
        }
    }

    private void interruptWhatIsAsked() {
        List<String> open =
                jobs.all().stream().filter(LeaseDuty::isOpen).map(HeldJob::id).toList();
        if (!open.isEmpty()) {
            node.store().load(open).forEach(this::interruptIfAsked);
        }
    }

    /** Whether there is a run to interrupt, or a start to prevent. */
    private static boolean isOpen(HeldJob held) {
        return held.state() == HeldJob.State.WAITING || held.state() == HeldJob.State.RUNNING;
    }

    /** A job was changed; if its run is held here and is to be interrupted, that is done at once. */
    public void interruptIfAsked(StoredJob job) {
        Lease lease = job.lease();
        if (lease != null && job.requests().interruptRequested()) {
            kernel.run(() -> jobs.all().stream()
                    .filter(held -> held.id().equals(job.id()) && held.token() == lease.token())
                    .forEach(held -> {
                        held.changed(job);
                        held.interrupt();
                    }));
        }
    }

    /** How long a call may take that leases depend on: {@code BatchSplit} says why. */
    static Duration limit(Node node) {
        return node.trust().dividedBy(6);
    }

    public void start() {
        watch.start();
        repetition.start();
    }

    /** Stops renewing; the leases that are still held are dropped as they expire. */
    public void stopRenewing() {
        repetition.stop();
    }

    public void stop() {
        watch.stop();
        repetition.stop();
    }

    private void dropWhatIsOver() {
        if (jobs.size() > 0) {
            control.begin();
        }
        loseUntrusted(jobs.all());
        for (HeldJob held : jobs.all()) {
            held.watched();
            completions.watched(held);
        }
        calls.lostRuns().forEach(JobRun::tryAgain);
    }

    /** The kernel begins again: each lease is renewed at its time, also if a renewal was under way. */
    public void beginAgain() {
        tries.clear();
        control.beginAgain();
    }

    /** A lease whose window is closed is dropped as lost, even if no other node has claimed the job (rule P3). */
    private void loseUntrusted(Collection<HeldJob> some) {
        some.stream()
                .filter(held -> !held.checkWindow())
                .forEach(held -> jobs.drop(held, "it could not be renewed in time"));
    }

    private void renewByClock() {
        if (node.clock().isTrusted()) {
            renewWhatIsOld();
        } else {
            // the server's time is measured before anything is renewed, as after a suspension (rule X5)
            measuring.begin(() -> ask(MEASURING, () -> node.clock().confirm(node.store())));
        }
    }

    private void renewWhatIsOld() {
        loseUntrusted(jobs.all());
        Collection<HeldJob> all = jobs.all();
        tries.keySet().removeIf(held -> held.state() == HeldJob.State.OVER);
        Duration third = node.trust().dividedBy(3);
        List<HeldJob> together = new ArrayList<>();
        Map<Try, List<HeldJob>> again = new HashMap<>();
        long now = node.clock().nanos();
        for (HeldJob held : all) {
            if (held.sinceSent().compareTo(third) >= 0 && held.checkWindow()) {
                Try last = tries.get(held);
                if (last == null) {
                    together.add(held);
                } else if (!last.underWay() || isOver(last)) {
                    again.computeIfAbsent(last.next(now), any -> new ArrayList<>())
                            .add(held);
                }
            }
        }
        if (!together.isEmpty()) {
            all.stream().filter(held -> ridesAlong(held, third)).forEach(together::add);
            renewTogether(together, now);
        }
        renewSplit(again);
    }

    private void renewTogether(List<HeldJob> together, long now) {
        Try first = new Try(now, 0, true, together.size());
        together.forEach(held -> tries.put(held, first));
        renew(together, false, () -> {});
    }

    /**
     * Whether a lease is renewed early, together with others, to save new progress without a call of its own (rule A3).
     */
    private boolean ridesAlong(HeldJob held, Duration third) {
        return held.sinceSent().compareTo(third) < 0
                && !tries.containsKey(held)
                && held.notes().unsaved(node.clock().nanos()) != null;
    }

    private boolean isOver(Try last) {
        return node.clock().nanos() - last.sent() >= limit(node).toNanos();
    }

    /** Renews what was not renewed in time by smaller commands, a bounded number at a time. */
    private void renewSplit(Map<Try, List<HeldJob>> again) {
        Queue<Part> parts = new ArrayDeque<>();
        again.forEach((next, some) -> {
            some.forEach(held -> tries.put(held, next));
            BatchSplit.parts(some, next.together()).forEach(part -> parts.add(new Part(part, next)));
        });
        for (int strands = Math.min(parts.size(), PARTS_AT_A_TIME); strands > 0; strands--) {
            renewNext(parts);
        }
    }

    /** What a later try has taken over by now is left to that one. */
    private void renewNext(Queue<Part> parts) {
        for (Part part = parts.poll(); part != null; part = parts.poll()) {
            Try own = part.own();
            List<HeldJob> open = part.held().stream()
                    .filter(held -> own.equals(tries.get(held)))
                    .toList();
            if (!open.isEmpty()) {
                renew(open, own.failures() % 2 == 1, () -> renewNext(parts));
                return;
            }
        }
    }

    private Renewal renewal(List<HeldJob> some, boolean secondClient, long sent) {
        Map<String, Long> tokens = new HashMap<>();
        Map<String, Progress> progress = new HashMap<>();
        for (HeldJob held : some) {
            tokens.put(held.id(), held.token());
            Progress said = held.notes().unsaved(node.clock().nanos());
            if (said != null) {
                progress.put(held.id(), said);
            }
        }
        Instant until = node.clock().at(sent).plus(node.settings().leaseLength());
        Instant visibleAgain = until.plus(node.settings().margin());
        return new Renewal(tokens, until, visibleAgain, progress, limit(node), secondClient);
    }

    /** @param then what follows its end */
    private void renew(List<HeldJob> some, boolean secondClient, Runnable then) {
        kernel.call(
                threads,
                () -> renewed(some, secondClient),
                answer -> {
                    some.forEach(tries::remove);
                    some.forEach(held -> answered(held, answer));
                    then.run();
                },
                e -> {
                    failed(e);
                    some.forEach(held -> tries.computeIfPresent(held, (job, last) -> last.ended()));
                    then.run();
                });
    }

    private void failed(Throwable e) {
        if (e instanceof StoreException unanswered) {
            reachability.unanswered(Reachability.RENEWALS, unanswered);
        } else {
            node.events().failures().add(Reachability.RENEWALS, e);
        }
    }

    /** What the store has answered to a renewal. */
    private record Answer(Renewal renewal, long sent, Map<String, HeldLease> held) {}

    private Answer renewed(List<HeldJob> some, boolean secondClient) {
        long sent = node.clock().nanos();
        Renewal renewal = renewal(some, secondClient, sent);
        Map<String, HeldLease> held =
                node.store().renew(renewal).stream().collect(Collectors.toMap(HeldLease::id, Function.identity()));
        // the windows are open from here, even if the kernel comes to it late
        some.stream().filter(job -> held.containsKey(job.id())).forEach(job -> job.renewed(sent, renewal.until()));
        reachability.answered(Reachability.RENEWALS);
        Duration took = Duration.ofNanos(node.clock().nanos() - sent);
        node.events().emit(new SchedulerEvent.LeasesRenewed(some.size(), held.size(), took));
        return new Answer(renewal, sent, held);
    }

    /**
     * Reads the requests of users, so that the end of the run is decided with them; if that fails, the end is decided
     * twice.
     */
    private void interrupt(HeldJob held) {
        if (held.job().requests().interruptRequested()) {
            held.interrupt();
            return;
        }
        kernel.call(
                threads,
                () -> node.store().load(List.of(held.id())),
                read -> {
                    read.stream().filter(job -> job.isHeldWith(held.token())).forEach(held::changed);
                    held.interrupt();
                },
                e -> {
                    if (e instanceof StoreException unanswered) {
                        reachability.failed(CANCELLED, unanswered);
                    }
                    held.interrupt();
                });
    }

    private void answered(HeldJob held, Answer answer) {
        HeldLease lease = answer.held().get(held.id());
        if (lease != null) {
            held.notes().saved(answer.renewal().progress().get(held.id()), answer.sent());
            if (lease.interruptRequested()) {
                interrupt(held);
            }
        } else if (isOpen(held)) {
            jobs.drop(held, "another node has taken the job over");
        }
    }
}
