package dev.almanac.behaviour;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.model.FindScope;
import dev.almanac.model.Finding;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.faults.Chances;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Some nodes, a network that is slow and loses, delays, repeats and tears, clocks that differ within the margin,
 * crashes, processes that stand still, and users who change their minds; everything from one seed. Then the network
 * heals, everything comes to rest, and what happened is judged: by {@link SimulationLedger} when a run starts or
 * ends, by {@link SimulationJudge} at the end.
 *
 * <h2>How time passes inside a call</h2>
 *
 * The engine calls its store synchronously. Each step of it runs on a thread of {@link ManualLanes}, of which one
 * goes on at any moment; {@link FaultyStore} stops the thread while a request or its reply is under way, and whatever
 * else is due then runs on another one. This is the whole truth of a real node, where a call blocks a thread of one
 * lane and the other lanes go on: calls of one node and of many overlap in every way, a reply can come after the
 * lease has ended, the lane of a waiting call is taken, a node that is frozen reads its reply when it thaws, and one
 * that crashes never reads it. To skew the clock of the waiting node instead would be simpler, but then nothing else
 * could happen while it waits, which is what the guards are for; to run the other steps nested inside the call would
 * let calls end only in the opposite of the order in which they began. What is not covered is that two threads of a
 * node are in the middle of the same method, between two calls: that is left to the tests with real threads.
 */
final class Simulation implements AutoCloseable {
    static final Instant START = Instant.parse("2099-03-02T08:00:00Z");
    private static final int NODES = 3;
    private static final int JOBS = 4;
    private static final Duration STORM = Duration.ofSeconds(70);
    private static final Duration CALM = Duration.ofSeconds(500);
    private static final Duration STEP = Duration.ofSeconds(20);
    static final int LAST_FIRE = 100;
    private static final int NEW_VERSION = 2;

    private final SplittableRandom random;
    private final ManualTime time = new ManualTime(START);
    private final ManualLanes lanes;
    private final Lane wire;
    private final @Nullable Mutants mutant;
    private final SimulationServer server;
    private final SimulationLedger ledger;
    private final SimulationFollowUps followUps;
    private final List<Machine> machines = new ArrayList<>();
    private final Machine clerk;
    private final SimulationUsers users;
    private boolean stormy = true;

    /** One process: its lanes, its way to the store, and the scheduler in it. */
    record Machine(ManualLanes.Node lanes, FaultyStore network, Scheduler scheduler) {}

    private Simulation(long seed, @Nullable Mutants mutant) {
        this.random = new SplittableRandom(seed);
        this.lanes = new ManualLanes(time, seed);
        this.wire = lanes.node().open("wire", 1);
        this.mutant = mutant;
        this.server = new SimulationServer(time, mutant);
        this.ledger = new SimulationLedger(time, server.truth());
        this.followUps = new SimulationFollowUps(server.truth(), ledger);
        this.clerk = machine(NEW_VERSION, () -> {});
        this.users = new SimulationUsers(clerk, server, ledger, time, random);
    }

    /** What was found wrong; empty if nothing. */
    static List<String> run(long seed, @Nullable Mutants mutant) {
        try (Simulation simulation = new Simulation(seed, mutant)) {
            simulation.play();
            return simulation.ledger.complaints();
        }
    }

    /** Every run that was started, and what was found wrong. */
    static List<String> story(long seed, @Nullable Mutants mutant) {
        try (Simulation simulation = new Simulation(seed, mutant)) {
            simulation.play();
            return Stream.concat(
                            simulation.ledger.runs().stream()
                                    .map(run -> run.job() + " " + run.fire() + " " + run.attempt() + " " + run.id()
                                            + " " + run.fencing()),
                            simulation.ledger.complaints().stream())
                    .toList();
        }
    }

    @Override
    public void close() {
        lanes.close();
    }

    private void play() {
        keys().forEach(users::schedule);
        weather(clerk);
        for (int i = 0; i < NODES; i++) {
            machines.add(started(i));
        }
        Instant end = START.plus(STORM);
        while (time.wall().isBefore(end)) {
            lanes.advance(Duration.ofMillis(random.nextLong(100, 2_500)));
            disturb(random.nextInt(NODES), "job-" + random.nextInt(JOBS));
        }
        calmDown();
        List<Instant> fires = IntStream.iterate(15, at -> at < LAST_FIRE, at -> at + 15)
                .mapToObj(START::plusSeconds)
                .toList();
        new SimulationJudge(server, ledger).judge(keys(), fires);
        followUps.judge(keys());
    }

    private static List<String> keys() {
        return IntStream.range(0, JOBS).mapToObj(i -> "job-" + i).toList();
    }

    /** The network is sound, every process goes on, no job is paused; until every job is over and no message is left. */
    private void calmDown() {
        stormy = false;
        machines.add(started(NODES));
        Stream.concat(machines.stream(), Stream.of(clerk)).forEach(machine -> {
            machine.network().heal();
            machine.lanes().thaw();
        });
        lanes.advance(STEP.multipliedBy(3));
        keys().forEach(users::resume);
        Instant latest = time.wall().plus(CALM);
        while (time.wall().isBefore(latest) && keys().stream().anyMatch(this::isLive)) {
            lanes.advance(STEP);
        }
        lanes.advance(STEP);
        examine();
    }

    /** What an operator does who wants to know whether all is well; that mends the rows of users' changes (rule P7). */
    private void examine() {
        Scheduler doctor = Scheduler.builder()
                .store(server.truth())
                .time(time)
                .zone(ZoneOffset.UTC)
                .lanes(lanes.node())
                .command("note", NEW_VERSION, Note.class)
                .build();
        for (Finding finding : doctor.checkInvariants(STEP.dividedBy(2)).findings()) {
            if (finding.kind() == Finding.Kind.ROW_MISSING
                    && !SimulationServer.isOfRequest(server.truth()
                            .find(finding.subject(), FindScope.INCLUDING_FINISHED)
                            .orElseThrow())) {
                ledger.complain("a run of " + finding.subject() + " has left out its row");
            }
        }
    }

    private boolean isLive(String key) {
        return server.truth().find(key, FindScope.LIVE).isPresent();
    }

    /** @param version of the command that the service on it knows: an old one claims new jobs, and hands them back */
    private Machine machine(int version, Runnable whileWaiting) {
        ManualLanes.Node own = lanes.node();
        FaultyStore network = new FaultyStore(followUps.watching(server.door()), wire, duration -> {
            whileWaiting.run();
            own.takeTime(duration);
        });
        TimeSource clock = time.view(Duration.ofMillis(random.nextLong(-600, 600)));
        JobStore view = mutant != null && mutant.isOfNode() ? mutant.over(network, server.truth(), time) : network;
        if (mutant == Mutants.TRUST_FROM_ACKNOWLEDGEMENT) {
            SimulationClock lagging = new SimulationClock(clock);
            clock = lagging;
            view = lagging.over(network);
        }
        Scheduler scheduler = Scheduler.builder()
                .store(view)
                .time(clock)
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(random.nextLong()))
                .lanes(own)
                .executor(own::execute)
                .settings(SchedulerSettings.builder().autoRehydrate(false).build())
                .command("note", version, Note.class)
                .helper(ledger.helper(own))
                .build();
        return new Machine(own, network, scheduler);
    }

    /** A new process; now and then it crashes while it waits for an answer. */
    private Machine started(int number) {
        SplittableRandom fate = random.split();
        int version = stormy && random.nextInt(4) == 0 ? NEW_VERSION - 1 : NEW_VERSION;
        Machine machine = machine(version, () -> {
            if (stormy && fate.nextInt(30) == 0) {
                crash(number);
            }
        });
        weather(machine);
        Lane service = machine.lanes().open("service", 1);
        service.run(() -> start(machine, service));
        return machine;
    }

    /** As a service does whose first try may meet a broken network. */
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

    /** How the network of a machine is from now on. */
    private void weather(Machine machine) {
        if (!stormy) {
            return;
        }
        double loss = random.nextInt(3) * 0.03;
        long millis = List.of(50L, 50L, 3_000L, 25_000L).get(random.nextInt(4));
        Chances chances = new Chances(
                Map.of(
                        Fault.Kind.SLOW, 0.2,
                        Fault.Kind.LOSE_REQUEST, loss,
                        Fault.Kind.LOSE_REPLY, loss,
                        Fault.Kind.LATE, loss,
                        Fault.Kind.TWICE, loss,
                        Fault.Kind.TORN, loss),
                Duration.ofMillis(millis),
                Duration.ofMillis(millis));
        machine.network().failAtRandom(random.nextLong(), chances);
    }

    private void disturb(int number, String key) {
        Machine machine = machines.get(number);
        switch (random.nextInt(20)) {
            case 0 -> crash(number);
            case 1, 2 -> machine.lanes().freeze();
            case 3, 4, 5 -> machine.lanes().thaw();
            case 6 -> machine.network().disconnect();
            case 7, 8 -> machine.network().reconnect();
            case 9, 10 -> weather(machine);
            case 11 -> weather(clerk);
            case 12 -> server.failOver();
            case 13 -> users.cancel(key);
            case 14 -> users.update(key);
            case 15 -> users.pause(key);
            case 16, 17 -> users.resume(key);
            case 18 -> users.runNow(key);
            default -> {}
        }
    }
}
