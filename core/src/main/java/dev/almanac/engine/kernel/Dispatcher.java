package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.BackfillOrder;
import dev.almanac.engine.rules.Decision;
import dev.almanac.engine.rules.FireDecider;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.runtime.Lane;
import dev.almanac.store.JobChange;
import dev.almanac.store.Phase;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Takes claimed jobs, asks the decider about each, and carries out the decision: start, write, or release. */
public final class Dispatcher {
    private static final Duration READ_PAUSE = Duration.ofMillis(500);
    /** For less than this after an election a document may be read as if it was not there. */
    private static final Duration LONGEST_OLDER = Duration.ofSeconds(2);

    private static final Duration LONG_PASSED = Duration.ofMinutes(1);
    /** So many fires are counted at once. */
    private static final int FEW = 200;

    private final Node node;
    private final HeldJobs jobs;
    private final CompletionDuty completions;
    private final Starter starter;
    private final Kernel kernel;
    private final StartGate gate;

    public Dispatcher(Node node, HeldJobs jobs, CompletionDuty completions, Starter.Parts parts, Kernel kernel) {
        this.node = node;
        this.jobs = jobs;
        this.completions = completions;
        this.kernel = kernel;
        this.gate = parts.gate();
        this.starter = new Starter(node, completions, parts, this);
    }

    /** What starts the claims that this decides to start. */
    public Starter starter() {
        return starter;
    }

    /**
     * A job is claimed, and decided.
     *
     * @param sent when the acknowledged claim, or the renewal that confirmed it, was sent
     */
    void accept(StoredJob claimed, long sent) {
        HeldJob held = new HeldJob(node, claimed, sent);
        if (jobs.begin(held)) {
            decide(held);
        }
    }

    /** The kernel begins again: what is claimed and has no run is decided again, and what has one goes on. */
    public void beginAgain() {
        for (HeldJob held : jobs.all()) {
            if (held.hasRun()) {
                held.beginAgain();
            } else if (held.state() == HeldJob.State.WAITING && !held.hasWrites()) {
                decide(held);
            }
        }
    }

    /**
     * Decides about one job, on a thread if that may take long. What the decision throws concerns this job only (rule N15),
     * such as an exception of its command or calendar.
     */
    private void decide(HeldJob held) {
        StoredJob job = held.job();
        Decision decision = null;
        try {
            if (!mayTakeLong(job)) {
                decision = decider().decide(job, node.context());
            }
        } catch (RuntimeException | Error e) {
            releaseUndecided(held, e);
            return;
        }
        if (decision != null) {
            carryOut(held, decision);
        } else {
            decideOnThread(held, job);
        }
    }

    /**
     * Whether code whose lease has expired goes on in this process (rules N14, X8): of this job, or of its group, and then that
     * code takes slots of the group here, which no lease shows. Only a start waits for it.
     */
    private boolean stillRuns(StoredJob job) {
        List<StoredJob> lost = starter.calls().lost();
        String group = job.specification().exclusiveGroup().orElse(null);
        long ofGroup = group == null ? 0 : countOf(group, lost.stream());
        return lost.stream().anyMatch(other -> other.id().equals(job.id()))
                || ofGroup > 0 && ofGroup + countOf(group, jobs.all().stream().map(HeldJob::job)) > gate.slots(group);
    }

    private static long countOf(String group, Stream<StoredJob> jobs) {
        return jobs.filter(other -> other.specification()
                        .exclusiveGroup()
                        .filter(group::equals)
                        .isPresent())
                .count();
    }

    /** What is not decided within a lease is left to other nodes, since a calendar may never return (rule N15). */
    private void decideOnThread(HeldJob held, StoredJob job) {
        AtomicBoolean asked = new AtomicBoolean();
        Lane.Alarm overdue = kernel.after(node.settings().leaseLength(), () -> {
            // a process that has stood still has lost its leases, and its calendars are as good as ever
            boolean waits = !job.specification().calendars().isEmpty() && held.checkWindow();
            if (waits && asked.get()) {
                releaseUndecided(held, new IllegalStateException("the calendars of a claim do not answer"));
            } else if (waits && held.state() == HeldJob.State.WAITING) {
                leaveToOthers(held, "it cannot be decided here: the store does not answer");
            }
        });
        onOwnThread(held, () -> {
            node.calendars().freshenFor(List.of(job), node.store().cluster(), node.clock());
            asked.set(true);
            Decision made = decideInOrder(job);
            return () -> {
                overdue.cancel();
                carryOutUnlessChanged(held, job, made);
            };
        });
    }

    /**
     * Calendars are code of the service, which may hang, and are to be as fresh as claims need them (rule C5); fires of a
     * backfill run in their order, which is read; fires that have passed are counted, up to a million. A job that owes
     * follow-ups needs none of that.
     */
    private boolean mayTakeLong(StoredJob job) {
        Instant fire = job.plan().nextFireTime();
        Instant now = node.clock().now();
        if (job.phase() == Phase.FOLLOW) {
            return false;
        }
        return !job.specification().calendars().isEmpty()
                || BackfillOrder.concerns(job)
                || fire != null
                        && job.specification().isRecurring()
                        && fire.isBefore(now.minus(LONG_PASSED))
                        && node.planner().passed(job.specification(), job.plan(), now, FEW) >= FEW;
    }

    /** A user may have changed the job meanwhile. */
    private void carryOutUnlessChanged(HeldJob held, StoredJob decided, Decision decision) {
        if (held.job().revision().number() == decided.revision().number()) {
            carryOut(held, decision);
        } else if (held.state() == HeldJob.State.WAITING) {
            decide(held);
        }
    }

    private Decision decideInOrder(StoredJob job) {
        if (BackfillOrder.concerns(job)) {
            List<StoredJob> found =
                    node.store().list(BackfillOrder.earlier(job)).jobs();
            JobChange behind = BackfillOrder.behind(job, found, node.context()).orElse(null);
            if (behind != null) {
                return new Decision.Settle(behind);
            }
        }
        return node.calendarCalls().askHere(job.specification(), () -> decider().decide(job, node.context()));
    }

    /** Decides by the calendars as they are known now. */
    private FireDecider decider() {
        return new FireDecider(node.planner());
    }

    /**
     * Does work that may hang on a thread of its own, then what it returns as a step of the kernel; again until the store
     * answers or the lease is over. Without a thread the claim is released.
     */
    private void onOwnThread(HeldJob held, Supplier<Runnable> work) {
        kernel.call(starter.ownThreads(), work, Runnable::run, e -> unread(held, work, e));
    }

    private void unread(HeldJob held, Supplier<Runnable> work, Throwable e) {
        if (!(e instanceof StoreException)) {
            releaseUndecided(held, e);
        } else if (held.checkWindow()) {
            kernel.after(READ_PAUSE, () -> onOwnThread(held, work));
        } else {
            jobs.lose(held, "its document could not be read in time");
        }
    }

    /**
     * The document of a job, or the pauses, were read too long ago to start it: it may have been paused, changed or
     * cancelled (rule X10), and is read and decided again. Any thread may call this.
     */
    void outdated(HeldJob held) {
        long first = node.clock().nanos();
        onOwnThread(held, () -> {
            if (held.state() != HeldJob.State.WAITING) {
                return () -> {};
            }
            return read(held, first)
                    ? () -> decide(held)
                    : () -> jobs.lose(
                            held, "another node has taken the job over, or its document is gone or cannot be read");
        });
    }

    /** Reads the job again; true if it is unchanged and no calendar excludes its fire, so that the decision still holds. */
    boolean isStillTheSame(HeldJob held) {
        long version = held.job().specification().version();
        try {
            return read(held, node.clock().nanos())
                    && held.job().specification().version() == version
                    && !isPaused(held)
                    && decider().isStillOpen(held.job());
        } catch (RuntimeException | Error e) {
            // the store gives no answer, or a calendar fails: it is decided again
            return false;
        }
    }

    /** Whether its own pause has begun, of which nothing but the time tells (rule S18). */
    private static boolean isPaused(HeldJob held) {
        Pause pause = held.job().requests().pause();
        return pause != null && pause.isInForce(held.now());
    }

    /**
     * Reads pauses and document again; false if another node holds the lease, or there is no document that can be read.
     *
     * @param first when it was read for the first time
     * @throws StoreException also if what was read may be older than the claim, as for a second after an election (rule N7)
     */
    private boolean read(HeldJob held, long first) {
        if (gate.ask(held.job(), node.clock().nanos()) == StartGate.Answer.UNKNOWN) {
            gate.refresh();
        }
        long sent = node.clock().nanos();
        StoredJob job =
                node.store().load(List.of(held.id())).stream().findFirst().orElse(null);
        boolean older = job == null
                ? sent - first < LONGEST_OLDER.toNanos()
                : job.revision().number() < held.job().revision().number();
        if (older) {
            throw new StoreException("reading a claimed job: what was read is older than its claim");
        }
        boolean own = job != null && job.isHeldWith(held.token());
        if (own) {
            held.readAgain(job, sent);
        }
        return own;
    }

    private void releaseUndecided(HeldJob held, Throwable e) {
        if (held.state() == HeldJob.State.WAITING) {
            leaveToOthers(held, "it cannot be decided here: " + Starter.reason(e));
            node.events().failures().add(CompletionDuty.PLANNING, e);
        }
    }

    private void leaveToOthers(HeldJob held, String reason) {
        completions.leave(held, reason, Decision.LEFT_TO_OTHERS);
    }

    private void carryOut(HeldJob held, Decision decision) {
        if (held.state() != HeldJob.State.WAITING) {
            // released or lost meanwhile
            return;
        }
        boolean starts =
                decision instanceof Decision.Start || decision instanceof Decision.Prepare first && first.isMark();
        if (starts && !starter.knows(held)) {
            leaveToOthers(
                    held,
                    "this node does not know its command type "
                            + held.job().command().type() + " in version "
                            + held.job().command().version());
        } else if (starts && stillRuns(held.job())) {
            leaveToOthers(held, "an earlier run of it, or of its group, goes on in this process");
        } else if (decision instanceof Decision.Start start) {
            starter.startAt(held, start);
        } else if (decision instanceof Decision.Prepare prepare) {
            prepare(held, prepare.change());
        } else if (decision instanceof Decision.Settle settle) {
            settle(held, settle.change());
        } else if (decision instanceof Decision.Follow) {
            ending(held, () -> completions.follow(held));
        } else if (decision instanceof Decision.Release release) {
            release(held, release);
        }
    }

    private void release(HeldJob held, Decision.Release release) {
        if (release.failure() != null) {
            node.events().failures().add(CompletionDuty.PLANNING, release.failure());
        }
        completions.leave(held, release.reason(), release.pause());
    }

    private void prepare(HeldJob held, JobChange change) {
        completions.prepare(held, change, this::report, () -> decide(held));
    }

    private void settle(HeldJob held, JobChange change) {
        ending(held, () -> completions.settle(held, change, this::report, () -> decideAgain(held)));
    }

    /** Begins to end a claim without a run. */
    private void ending(HeldJob held, Runnable work) {
        held.move(HeldJob.State.WAITING, HeldJob.State.ENDING);
        work.run();
    }

    private void decideAgain(HeldJob held) {
        held.move(HeldJob.State.ENDING, HeldJob.State.WAITING);
        decide(held);
    }

    private void report(HeldJob held, JobChange change) {
        Outcome recovered = null;
        for (JobExecutionStatus row : change.rows()) {
            if (row.outcome() == Outcome.ABANDONED || row.outcome() == Outcome.CRASHED) {
                recovered = row.outcome();
            } else if (row.outcome() == Outcome.MISSED && row.missed() != null) {
                node.events().emit(new SchedulerEvent.FiresMissed(held.job().key(), row.missed()));
            }
        }
        Sequences before = change.before().sequences();
        if (recovered != null && before.abandoned() > 0) {
            // an abandoned run that has crashed for good has two rows, and is one
            long abandoned = before.recovered().crashes();
            node.events().emit(new SchedulerEvent.RunRecovered(held.job().key(), abandoned, recovered));
        }
    }
}
