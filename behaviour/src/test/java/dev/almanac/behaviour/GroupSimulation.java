package dev.almanac.behaviour;

import dev.almanac.Scheduler;
import dev.almanac.helper.Execution;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.FindScope;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Rate;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.GroupSlots;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.faults.Chances;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of one group with a size and a rate, some nodes, a network that is slow and loses, delays, repeats, clocks that
 * differ, crashes, processes that stand still, executors that queue and refuse, edits that make the group smaller,
 * larger, or remove its limits, and users who put jobs into it that may be claimed already; everything from one seed.
 * Judged are the members of the group and the slot of the newest at each start, the claims that were applied by when
 * they were sent, and that all is over in the end. See {@link Simulation} for how time passes inside a call.
 */
final class GroupSimulation implements AutoCloseable {
    private static final Instant START = Instant.parse("2099-03-02T08:00:00Z");
    private static final String GROUP = "bank";
    private static final int NODES = 3;
    private static final int JOBS = 9;
    /** Jobs that a user puts into the group at some moment, perhaps when they are claimed already. */
    private static final int MOVERS = 3;

    private static final Duration FAULTS = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofSeconds(20);
    private static final Duration PERIOD = Duration.ofSeconds(20);

    /** Two clocks that are wrong by the skew allowance, and a count that is used at the end of its validity. */
    private static final Duration SLACK = Duration.ofSeconds(4);

    /** Within this time each node applies an edit. */
    private static final Duration APPLIED = Duration.ofSeconds(1);

    /** What jobs carry: how long they run. */
    record Note(int millis) implements SchedulingCommand {}

    private record Machine(ManualLanes.Node lanes, FaultyStore network, Scheduler scheduler) {}

    private record Sent(long token, Instant at) {}

    /** How many slots the group has from that moment on. */
    private record Size(Instant from, int slots) {}

    private final SplittableRandom random;
    private final ManualTime time = new ManualTime(START);
    private final ManualLanes lanes;
    private final Lane wire;
    private final Lane users;
    private final @Nullable GroupMutants mutant;
    private final InMemoryJobStore truth;
    private final JobStore door;
    private final List<Machine> machines = new ArrayList<>();
    private final List<Execution> going = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();
    private final Set<Long> applied = new HashSet<>();
    private final List<String> complaints = new ArrayList<>();
    private final @Nullable Rate rate;
    private final List<Size> sizes = new ArrayList<>();
    /** When the run that this thread begins was handed to the executor. */
    private final ThreadLocal<Instant> handed = new ThreadLocal<>();

    /** Since when a job has been of the group. */
    private final Map<String, Instant> joined = new HashMap<>();

    private boolean faulty = true;

    private GroupSimulation(long seed, @Nullable GroupMutants mutant) {
        this.random = new SplittableRandom(seed);
        this.lanes = new ManualLanes(time, seed);
        this.wire = lanes.node().open("wire", 1);
        this.users = lanes.node().open("users", 1);
        this.mutant = mutant;
        this.truth = new InMemoryJobStore(time);
        this.door = door();
        this.rate = random.nextBoolean() ? new Rate(3, PERIOD) : null;
    }

    /** What was found wrong; empty if nothing. */
    static List<String> run(long seed, @Nullable GroupMutants mutant) {
        try (GroupSimulation simulation = new GroupSimulation(seed, mutant)) {
            simulation.play();
            return simulation.complaints;
        }
    }

    @Override
    public void close() {
        lanes.close();
    }

    private void play() {
        Scheduler client = scheduler(truth, lanes.node(), Duration.ZERO);
        edit(client, 2 + random.nextInt(2));
        for (int i = 0; i < JOBS + MOVERS; i++) {
            JobSpecification job = JobSpecification.builder()
                    .jobSpecificationKey("job-" + i)
                    .jobRequestor("simulation")
                    .triggerCommand(new Note(random.nextInt(4) == 0 ? 30_000 : random.nextInt(9_000)))
                    .triggerIdentifier("job-" + i)
                    .exclusiveGroup(i < JOBS ? GROUP : null)
                    .singleSchedule(START.plusMillis(random.nextLong(500, 20_000)))
                    .build();
            client.scheduleJob(job);
            if (i < JOBS) {
                joined.put(job.jobSpecificationKey(), START);
            } else {
                Instant at = job.singleSchedule().orElseThrow().plusMillis(random.nextLong(-2_000, 8_000));
                users.after(Duration.between(START, at), () -> join(client, job));
            }
        }
        for (int i = 0; i < NODES; i++) {
            machines.add(started(i));
        }
        Instant edit = START.plusMillis(random.nextLong(5_000, 30_000));
        while (time.wall().isBefore(START.plus(FAULTS))) {
            lanes.advance(Duration.ofMillis(random.nextLong(100, 2_500)));
            if (time.wall().isAfter(edit)) {
                edit(client, random.nextInt(4));
                edit = time.wall().plusMillis(random.nextLong(5_000, 30_000));
            }
            disturb(random.nextInt(NODES));
        }
        comeToRest();
        judgeRate();
    }

    private void join(Scheduler client, JobSpecification job) {
        if (truth.find(job.jobSpecificationKey(), FindScope.LIVE).isPresent()) {
            client.updateJob(job.toBuilder().exclusiveGroup(GROUP).build());
            joined.put(job.jobSpecificationKey(), time.wall());
        }
    }

    /** @param size 0 = the limits are removed, and one job runs at a time; but a rate stays */
    private void edit(Scheduler client, int size) {
        sizes.add(new Size(time.wall(), Math.max(size, 1)));
        if (size > 0 || rate != null) {
            client.groups().put(GROUP, new GroupLimits(Math.max(size, 1), rate));
        } else {
            client.groups().remove(GROUP);
        }
    }

    /** The largest size that was in force since then. */
    private int largest(Instant since) {
        int largest = 0;
        for (int i = 0; i < sizes.size(); i++) {
            boolean over = i + 1 < sizes.size() && sizes.get(i + 1).from().isBefore(since);
            largest = over ? largest : Math.max(largest, sizes.get(i).slots());
        }
        return largest;
    }

    private void comeToRest() {
        faulty = false;
        machines.add(started(NODES));
        machines.forEach(machine -> {
            machine.network().heal();
            machine.lanes().thaw();
        });
        for (int i = 0; i < 40 && isAnyLive(); i++) {
            lanes.advance(STEP);
        }
        if (isAnyLive()) {
            complaints.add("not all jobs of the group are over");
        }
    }

    private boolean isAnyLive() {
        for (int i = 0; i < JOBS + MOVERS; i++) {
            if (truth.find("job-" + i, FindScope.LIVE).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private void judgeRate() {
        if (rate == null) {
            return;
        }
        List<Instant> claims = sent.stream()
                .filter(claim -> applied.contains(claim.token()))
                .map(Sent::at)
                .sorted()
                .toList();
        for (int i = rate.claims(); i < claims.size(); i++) {
            Instant first = claims.get(i - rate.claims());
            if (Duration.between(first, claims.get(i)).compareTo(PERIOD.minus(SLACK)) < 0) {
                complaints.add("more than " + rate + " claims from " + first + " to " + claims.get(i));
            }
        }
    }

    /** Where requests arrive. */
    private JobStore door() {
        ClusterStore cluster = mutant == null ? truth.cluster() : mutant.ofServer(truth.cluster(), GROUP);
        return over(truth, cluster, request -> {
            ClaimResult result = mutant == null ? truth.claim(request) : mutant.claim(truth, request);
            result.jobs().forEach(job -> applied.add(request.lease().token()));
            return result;
        });
    }

    private static JobStore over(JobStore store, ClusterStore cluster, Function<ClaimRequest, ClaimResult> claim) {
        return StoreHook.over(store, (method, arguments, call) -> switch (method) {
            case "cluster" -> cluster;
            case "claim" -> claim.apply((ClaimRequest) arguments[0]);
            default -> call.proceed();
        });
    }

    private Scheduler scheduler(JobStore store, ManualLanes.Node own, Duration skew) {
        return Scheduler.builder()
                .store(store)
                .time(time.view(skew))
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(random.nextLong()))
                .lanes(own)
                .executor(run -> execute(own, run))
                .settings(SchedulerSettings.builder().autoRehydrate(false).build())
                .command("note", 1, Note.class)
                .helper(SchedulingHelper.ofAsync(Note.class, (note, execution) -> work(own, note, execution)))
                .build();
    }

    /** The service's threads, which at times refuse, and at times are busy. */
    private void execute(ManualLanes.Node own, Runnable run) {
        int fate = faulty ? random.nextInt(16) : 15;
        if (fate == 0) {
            throw new RejectedExecutionException("full");
        }
        Instant now = time.wall();
        own.open("executor", 1).after(Duration.ofMillis(fate < 3 ? random.nextLong(9_000) : 0), () -> {
            handed.set(now);
            try {
                run.run();
            } finally {
                handed.remove();
            }
        });
    }

    private Machine started(int number) {
        SplittableRandom fate = random.split();
        ManualLanes.Node own = lanes.node();
        FaultyStore network = new FaultyStore(door, wire, duration -> {
            if (faulty && fate.nextInt(60) == 0) {
                crash(number);
            }
            own.takeTime(duration);
        });
        JobStore view =
                over(network, mutant == null ? network.cluster() : mutant.ofNode(network.cluster()), request -> {
                    if (request.entry() != null) {
                        sent.add(new Sent(request.lease().token(), time.wall()));
                    }
                    return network.claim(request);
                });
        Machine machine =
                new Machine(own, network, scheduler(view, own, Duration.ofMillis(random.nextLong(-600, 600))));
        drawFaults(machine);
        Lane service = own.open("service", 1);
        service.run(() -> start(machine, service));
        return machine;
    }

    private void start(Machine machine, Lane service) {
        try {
            machine.scheduler().start();
            rehydrate(machine, service);
        } catch (StoreException lost) {
            service.after(Duration.ofSeconds(1), () -> start(machine, service));
        }
    }

    private void rehydrate(Machine machine, Lane service) {
        try {
            machine.scheduler().rehydrate();
        } catch (StoreException lost) {
            service.after(Duration.ofSeconds(1), () -> rehydrate(machine, service));
        }
    }

    private void crash(int number) {
        machines.get(number).lanes().close();
        machines.set(number, started(number));
    }

    private void drawFaults(Machine machine) {
        if (!faulty) {
            return;
        }
        double loss = random.nextInt(3) * 0.03;
        long millis = List.of(50L, 50L, 3_000L, 25_000L).get(random.nextInt(4));
        machine.network()
                .failAtRandom(
                        random.nextLong(),
                        new Chances(
                                Map.of(
                                        Fault.Kind.SLOW, 0.2,
                                        Fault.Kind.LOSE_REQUEST, loss,
                                        Fault.Kind.LOSE_REPLY, loss,
                                        Fault.Kind.LATE, loss,
                                        Fault.Kind.TWICE, loss),
                                Duration.ofMillis(millis),
                                Duration.ofMillis(millis)));
    }

    private void disturb(int number) {
        Machine machine = machines.get(number);
        switch (random.nextInt(12)) {
            case 0 -> crash(number);
            case 1 -> machine.lanes().freeze();
            case 2, 3, 4 -> machine.lanes().thaw();
            case 5 -> machine.network().disconnect();
            case 6, 7 -> machine.network().reconnect();
            case 8, 9 -> drawFaults(machine);
            default -> {}
        }
    }

    private static boolean isOwned(Execution run) {
        try {
            run.assertOwned();
            return true;
        } catch (LeaseLostException lost) {
            return false;
        }
    }

    private void begin(Execution run) {
        Instant member = joined.get(run.jobSpecificationKey());
        if (member == null || member.isAfter(handed.get().minus(APPLIED))) {
            // its node need not have read yet that it has a group
            return;
        }
        going.add(run);
        List<String> members = going.stream()
                .filter(GroupSimulation::isOwned)
                .map(Execution::jobSpecificationKey)
                .toList();
        int largest = largest(START);
        if (members.size() > largest) {
            complaints.add("at " + time.wall() + " a group of at most " + largest + " has the members " + members);
        }
        if (isOwned(run)) {
            judgeSlot(run.jobSpecificationKey(), largest(handed.get().minus(APPLIED)));
        }
    }

    /** None starts in a slot that was removed before its executor had it. */
    private void judgeSlot(String key, int slots) {
        Lease lease = truth.find(key, FindScope.LIVE).map(StoredJob::lease).orElse(null);
        if (mutant != GroupMutants.SLOT_WITHOUT_GUARD
                && lease != null
                && !GroupSlots.names(GROUP, slots).contains(String.valueOf(lease.slot()))) {
            complaints.add("at " + time.wall() + " " + key + " starts in slot " + lease.slot() + " of " + slots);
        }
    }

    private CompletionStage<Void> work(ManualLanes.Node node, Note note, Execution execution) {
        begin(execution);
        CompletableFuture<Void> stage = new CompletableFuture<>();
        node.open("helper", 1).after(Duration.ofMillis(note.millis()), () -> {
            going.remove(execution);
            stage.complete(null);
        });
        return stage;
    }
}
