package dev.almanac.behaviour;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreInspection;
import dev.almanac.testkit.faults.Chances;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The processes of a simulation: how they start, what their network, threads and clocks are like, and how they end. */
final class SimulationNodes {
    static final int NEW_VERSION = 2;
    /** What lies between two looks of a node, and what a node keeps away from a job that its executor has refused. */
    private static final Duration AFTER_REFUSAL = Duration.ofMillis(2_500);
    /** How long before something a node must have been well, so that it could have done it. */
    private static final Duration WELL = Duration.ofSeconds(3);
    /** From the last acknowledged renewal to the end of trust, and until that is noticed. */
    private static final Duration WINDOW = Duration.ofSeconds(20);

    /** A call that is slow in both directions, of a node that stands still meanwhile. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(100);

    /** Of the only type, where nodes have a limit at all. */
    private static final int TYPE_LIMIT = 2;

    private final ManualTime time;
    private final ManualLanes lanes;
    private final Lane wire;
    private final SplittableRandom random;
    private final @Nullable Mutants mutant;
    private final SimulationServer server;
    private final SimulationLedger ledger;
    private final SimulationFaults faults;
    private final Watchers watchers;
    private final Set<RareFaults> rare;
    private final List<Machine> all = new ArrayList<>();
    private boolean faulty = true;
    private final boolean faultless;

    /**
     * Each sees to one subject.
     *
     * @param calendars absent = there are none
     */
    record Watchers(
            SimulationFollowUps followUps,
            SimulationClocks clocks,
            SimulationSeams seams,
            SimulationTransactions transactions,
            SimulationLocks locks,
            @Nullable SimulationCalendars calendars) {}

    /** One process: its lanes, its way to the store, and the scheduler in it. */
    static final class Machine {
        private final int number;
        private final int version;
        private final ManualLanes.Node lanes;
        private final FaultyStore network;
        private final Scheduler scheduler;
        private @Nullable Instant ready;
        private boolean ending;
        /** Absent = it was not asked to drain. */
        private @Nullable CompletionStage<?> drain;

        private Machine(int number, int version, ManualLanes.Node lanes, FaultyStore network, Scheduler scheduler) {
            this.number = number;
            this.version = version;
            this.lanes = lanes;
            this.network = network;
            this.scheduler = scheduler;
        }

        ManualLanes.Node lanes() {
            return lanes;
        }

        FaultyStore network() {
            return network;
        }

        Scheduler scheduler() {
            return scheduler;
        }
    }

    SimulationNodes(
            ManualTime time,
            ManualLanes lanes,
            SplittableRandom random,
            @Nullable Mutants mutant,
            SimulationServer server,
            SimulationLedger ledger,
            SimulationFaults faults,
            Watchers watchers,
            Set<RareFaults> rare,
            boolean faultless) {
        this.time = time;
        this.lanes = lanes;
        this.wire = lanes.node().open("wire", 1);
        this.random = random;
        this.mutant = mutant;
        this.server = server;
        this.ledger = ledger;
        this.faults = faults;
        this.watchers = watchers;
        this.rare = rare;
        this.faultless = faultless;
    }

    /** The network is sound from now on, and every process goes on. */
    void heal() {
        faulty = false;
        watchers.clocks().heal();
        watchers.seams().faulty(false);
        for (Machine machine : all) {
            machine.network().heal();
            thaw(machine);
        }
    }

    /** How many runs a node may have at a time. */
    int limit() {
        return rare.contains(RareFaults.LIMITS) ? TYPE_LIMIT : Integer.MAX_VALUE;
    }

    /** Whether a node that could run any job has a free slot. */
    boolean anyFree() {
        return up().stream().anyMatch(machine -> ledger.goingOn(machine.number) < limit());
    }

    /** Whether a node that could run the job was well all that time, and a little before. */
    boolean anyWell(String id, Instant from, Instant to) {
        return all.stream()
                .anyMatch(machine -> machine.ready != null
                        && machine.version == NEW_VERSION
                        && !machine.ending
                        && !ledger.hasCodeSince(id, machine.number, from)
                        && machine.ready.isBefore(from.minus(WELL))
                        && !faults.hit(machine.number, from.minus(WELL), to));
    }

    /** A process that is not started, with the newest release: a scheduler for requests. */
    Machine client() {
        return machine(NEW_VERSION, () -> {});
    }

    /** @param version of the command that the service on it knows: an old one claims new jobs, and hands them back */
    private Machine machine(int version, Runnable whileWaiting) {
        ManualLanes.Node own = lanes.node();
        int number = all.size();
        FaultyStore network = new FaultyStore(door(number, version), wire, duration -> {
            whileWaiting.run();
            watchers.clocks().whileWaiting(number);
            own.takeTime(duration);
        });
        network.reportTo((call, fault) -> faults.call(number, call, fault));
        TimeSource clock = watchers.clocks().next(Duration.ofMillis(random.nextLong(-600, 600)));
        JobStore view = watchers.seams().over(number, watchers.locks().from(own, network));
        view = mutant != null && mutant.isOfNode() ? mutant.over(view, server.truth(), time) : view;
        if (mutant == Mutants.TRUST_FROM_ACKNOWLEDGEMENT) {
            SimulationClock lagging = new SimulationClock(clock);
            clock = lagging;
            view = lagging.over(network);
        } else if (mutant == Mutants.DEADLINES_BY_THE_WALL_CLOCK) {
            clock = SimulationClocks.byWall(clock);
        }
        SchedulerBuilder builder = Scheduler.builder()
                .store(view)
                .time(clock)
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(random.nextLong()))
                .lanes(own)
                .label(label(number))
                .executor(run -> execute(number, own, run))
                .settings(SchedulerSettings.builder().autoRehydrate(false).build())
                .calendarReader(definition -> watchers.seams().over(number, SimulationCalendars.read(definition)))
                .command("note", rare.contains(RareFaults.RELEASES) ? NEW_VERSION : version, Note.class)
                .helper(ledger.helper(number, own, where -> watchers.seams().enter(number, where)))
                .listener(event -> hear(number, event));
        if (rare.contains(RareFaults.LIMITS) && mutant != Mutants.TYPE_WITHOUT_LIMIT) {
            builder.typeLimit("note", TYPE_LIMIT);
        }
        Machine machine = new Machine(number, version, own, network, builder.build());
        all.add(machine);
        return machine;
    }

    static String label(int number) {
        return "node-" + number;
    }

    /** What arrives there is also seen by those who watch one subject; what inspects goes past them. */
    private JobStore door(int number, int version) {
        JobStore door = server.door(number);
        JobStore clocked = watchers.clocks().watching(watchers.followUps().watching(door));
        JobStore watched =
                watchers.calendars() == null ? clocked : watchers.calendars().watching(clocked);
        JobStore locked =
                rare.contains(RareFaults.TRANSACTIONS) ? watchers.locks().at(number, watched) : watched;
        JobStore seen = rare.contains(RareFaults.RELEASES) && version < NEW_VERSION
                ? SimulationReleases.older(locked, server.truth(), ledger, mutant != Mutants.NEEDS_NOT_ASKED)
                : locked;
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(),
                new Class<?>[] {JobStore.class, StoreInspection.class},
                (any, call, arguments) -> {
                    try {
                        boolean inspects = call.getDeclaringClass() == StoreInspection.class;
                        return call.invoke(inspects ? door : seen, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The service's threads, which at times refuse, and at times are busy. */
    private void execute(int number, ManualLanes.Node own, Runnable run) {
        int fate = faulty ? random.nextInt(16) : 15;
        if (fate == 0) {
            faults.lasting(number, AFTER_REFUSAL);
            throw new RejectedExecutionException("full");
        }
        watchers.seams().enter(number, "executor");
        Duration queued = fate < 3 ? Duration.ofMillis(random.nextLong(9_000)) : Duration.ZERO;
        if (!queued.isZero()) {
            faults.lasting(number, queued);
        }
        own.open("executor", 1).after(queued, run);
    }

    /** A lease is lost for a reason. */
    private void hear(int number, SchedulerEvent event) {
        Instant now = time.wall();
        watchers.transactions().hear(event);
        if (event instanceof SchedulerEvent.KernelRestarted failed) {
            ledger.complain("the kernel of node " + number + " has failed: " + failed.error());
        }
        if (!(event instanceof SchedulerEvent.LeaseLost lost)) {
            watchers.seams().enter(number, "listener");
            return;
        }
        boolean excused = lost.running()
                ? faults.costsLease(number, now.minus(WINDOW), now)
                : faults.hit(number, now.minus(LONGEST_CALL), now);
        if (!excused && !faults.wasHeld(lost.key(), now.minus(WINDOW), now)) {
            ledger.complain(
                    "node " + number + " lost the lease of " + lost.key() + " without a fault: " + lost.reason());
        }
    }

    /** A new process; now and then it crashes while it waits for an answer. */
    Machine started(Runnable crash) {
        SplittableRandom fate = random.split();
        int version = faulty && random.nextInt(4) == 0 ? NEW_VERSION - 1 : NEW_VERSION;
        Machine machine = machine(version, () -> {
            if (faulty && !faultless && fate.nextInt(30) == 0) {
                crash.run();
            }
        });
        drawFaults(machine);
        Lane service = machine.lanes().open("service", 1);
        service.run(() -> start(machine, service));
        return machine;
    }

    /** As a service does whose first try may meet a broken network; rehydration is tried again by itself. */
    private void start(Machine machine, Lane service) {
        tried(machine, service, () -> {
            machine.scheduler().start();
            rehydrate(machine, service);
        });
    }

    private void rehydrate(Machine machine, Lane service) {
        tried(machine, service, () -> {
            machine.scheduler().rehydrate();
            machine.ready = time.wall();
        });
    }

    private void tried(Machine machine, Lane service, Runnable step) {
        if (machine.ending) {
            return;
        }
        try {
            step.run();
        } catch (StoreException | SimulationSeams.Broken | SimulationSeams.Fatal lost) {
            service.after(Duration.ofSeconds(1), () -> tried(machine, service, step));
        } catch (IllegalStateException refused) {
            if (!machine.ending) {
                // else the service goes down before it was up
                ledger.complain("node " + machine.number + " does not start: " + refused);
            }
        }
    }

    /** Somebody sets its clock. */
    void setClock(Machine machine) {
        watchers.clocks().disturb(machine.number);
    }

    /** Those that are up and go on. */
    List<Machine> up() {
        return all.stream()
                .filter(machine -> machine.ready != null && !machine.ending && machine.version == NEW_VERSION)
                .toList();
    }

    void freeze(Machine machine) {
        faults.begin(machine.number);
        watchers.clocks().frozen(machine.number);
        machine.lanes().freeze();
    }

    void thaw(Machine machine) {
        if (!machine.ending) {
            faults.end(machine.number);
        }
        watchers.clocks().thawed(machine.number);
        machine.lanes().thaw();
    }

    void crash(Machine machine) {
        machine.ending = true;
        faults.begin(machine.number);
        machine.lanes().close();
    }

    /** The service goes down in good order; after that it starts nothing. */
    void drain(Machine machine, Duration patience) {
        machine.ending = true;
        faults.begin(machine.number);
        machine.drain = machine.scheduler().beginDrain(patience);
        machine.drain.thenRun(() -> ledger.drained(machine.number));
    }

    /** When all has been well for long: every node has started, holds nothing, and has drained if it was to (rules X2, R14). */
    void judge() {
        for (Machine machine : all) {
            boolean client = machine.number == 0;
            if (!client && !machine.ending && machine.ready == null) {
                ledger.complain("node " + machine.number + " has never started");
            }
            if (!client && !machine.ending && machine.scheduler().node().runs() > 0) {
                ledger.complain("node " + machine.number + " holds a claim of a job that is over");
            }
            if (machine.drain != null && !machine.drain.toCompletableFuture().isDone()) {
                ledger.complain("the drain of node " + machine.number + " has not ended");
            }
        }
    }

    /** Draws which faults the network of a machine has from now on. */
    void drawFaults(Machine machine) {
        if (!faulty) {
            return;
        }
        double loss = faultless ? 0 : random.nextInt(3) * 0.03;
        long millis = List.of(50L, 50L, 3_000L, 25_000L).get(random.nextInt(faultless ? 2 : 4));
        Chances chances = new Chances(
                Map.of(
                        Fault.Kind.SLOW, 0.2,
                        Fault.Kind.LOSE_REQUEST, loss,
                        Fault.Kind.LOSE_REPLY, loss,
                        Fault.Kind.LATE, loss,
                        Fault.Kind.TWICE, loss,
                        Fault.Kind.TORN, loss,
                        Fault.Kind.SPLIT, 0.1),
                Duration.ofMillis(millis),
                Duration.ofMillis(millis));
        machine.network().failAtRandom(random.nextLong(), chances);
    }
}
