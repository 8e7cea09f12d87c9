package dev.almanac.behaviour;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.behaviour.SimulationNodes.Machine;
import dev.almanac.model.FindScope;
import dev.almanac.model.Finding;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
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
 * goes on at any moment; {@link dev.almanac.testkit.faults.FaultyStore} stops the thread while a request or its reply is under way, and whatever
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
    private static final Duration FAULTS = Duration.ofSeconds(70);
    private static final Duration REST = Duration.ofSeconds(500);
    private static final Duration STEP = Duration.ofSeconds(20);
    /** From the last fault on: a lease, its margin, and then {@link #LATEST}. */
    private static final Duration PROGRESS = Duration.ofSeconds(25);

    /** From the end of a lease, or the due moment, to the claim: two seconds and a look. */
    private static final Duration LATEST = Duration.ofSeconds(3);
    /** The longest pause of a node after claims of a job that a transaction had locked. */
    private static final Duration BACK_OFF = Duration.ofSeconds(30);

    /** From the moment at which a job can be claimed to its claim, by a node that is well: a look, and the calls for it. */
    private static final Duration PUNCTUAL = Duration.ofMillis(2_500);

    static final int LAST_FIRE = 100;
    /** The number of the first process. */
    private static final int CLIENT = 0;

    private final SplittableRandom random;
    private final ManualTime time = new ManualTime(START);
    private final ManualLanes lanes;
    private final SimulationTrace trace;
    private final SimulationFaults faults;
    private final SimulationServer server;
    private final SimulationLedger ledger;
    private final SimulationFollowUps followUps;
    private final SimulationClocks clocks;
    private final @Nullable SimulationCalendars calendars;
    private final SimulationSeams seams;
    private final SimulationTransactions transactions;
    private final Set<RareFaults> rare;
    private final SimulationNodes nodes;
    private final List<Machine> machines = new ArrayList<>();
    private final Machine client;
    private final SimulationPauses pauses;
    private final SimulationUsers users;
    private final SimulationRequests requests;
    private final SimulationJudge judge;
    /** Whether there are no faults at all: without a fault nothing may be abandoned, late or run twice. */
    private final boolean faultless;

    private Simulation(long seed, @Nullable Mutants mutant, boolean traced) {
        this.random = new SplittableRandom(seed);
        this.lanes = new ManualLanes(time, seed);
        this.trace = new SimulationTrace(time, traced);
        this.faults = new SimulationFaults(time);
        this.server = new SimulationServer(time, mutant, random.split(), faults, trace);
        this.faultless = seed % 8 == 0;
        server.faulty(!faultless);
        this.ledger = new SimulationLedger(time, server.truth(), trace);
        this.followUps = new SimulationFollowUps(server, ledger);
        this.rare = RareFaults.of(seed, faultless);
        this.clocks = new SimulationClocks(time, random.split(), ledger, rare.contains(RareFaults.CLOCKS));
        this.calendars = rare.contains(RareFaults.CALENDARS)
                ? new SimulationCalendars(time, random.split(), server, ledger)
                : null;
        this.seams = new SimulationSeams(random.split(), faults, rare.contains(RareFaults.SEAMS));
        SplittableRandom own = new SplittableRandom(seed);
        var locks = new SimulationLocks(time, own.split(), server.truth(), ledger, faults, trace);
        this.transactions = new SimulationTransactions(time, own, server, ledger, locks, trace);
        var watchers = new SimulationNodes.Watchers(followUps, clocks, seams, transactions, locks, calendars);
        this.nodes =
                new SimulationNodes(time, lanes, random, mutant, server, ledger, faults, watchers, rare, faultless);
        this.client = nodes.client();
        this.pauses = new SimulationPauses(
                client,
                server,
                ledger,
                trace,
                time,
                random,
                () -> !faults.hit(CLIENT, START, time.wall()),
                this::isDelayed);
        this.users = new SimulationUsers(client, server, ledger, time, random, pauses, rare);
        this.requests = new SimulationRequests(client, users, time, rare, seed);
        this.judge = new SimulationJudge(server, ledger, faults, calendars);
        ledger.onBegin(judge::judgeBegin);
        ledger.onBegin(this::judgeLimit);
        ledger.onBegin(this::judgeStart);
        server.onClaim(this::judgeLateness);
    }

    /** What was found wrong; empty if nothing. */
    static List<String> run(long seed, @Nullable Mutants mutant) {
        try (Simulation simulation = new Simulation(seed, mutant, false)) {
            simulation.play();
            return simulation.ledger.complaints();
        }
    }

    /** What has happened, every write of it, and what was found wrong. */
    static List<String> story(long seed, @Nullable Mutants mutant) {
        try (Simulation simulation = new Simulation(seed, mutant, true)) {
            simulation.play();
            return simulation.trace.lines();
        }
    }

    @Override
    public void close() {
        lanes.close();
    }

    private void play() {
        if (calendars != null) {
            calendars.store(client.scheduler());
        }
        keys().forEach(users::schedule);
        seams.faulty(true);
        nodes.drawFaults(client);
        for (int i = 0; i < NODES; i++) {
            machines.add(started(i));
        }
        Instant end = START.plus(FAULTS);
        while (time.wall().isBefore(end)) {
            pass(Duration.ofMillis(random.nextLong(100, 2_500)));
            disturb(random.nextInt(NODES), "job-" + random.nextInt(JOBS));
            keys().forEach(users::mend);
        }
        comeToRest();
        judge.judge(keys());
        followUps.judge(keys().stream()
                .filter(key -> !server.hasRefused(key) && !server.hasRefusedRows(key))
                .toList());
    }

    /** What was planned to be thrown ends the step of a lane that it comes out of, and nothing else; so it does in a service. */
    private void pass(Duration by) {
        Instant end = time.exact().plus(by);
        while (time.exact().isBefore(end)) {
            try {
                lanes.runUntil(end);
            } catch (SimulationSeams.Broken | SimulationSeams.Fatal planned) {
                trace.write("out of a step: " + planned);
            }
        }
    }

    private static List<String> keys() {
        return IntStream.range(0, JOBS).mapToObj(i -> "job-" + i).toList();
    }

    /** The network is sound, every process goes on, no job is paused; until every job is over and no message is left. */
    private void comeToRest() {
        server.faulty(false);
        transactions.end();
        nodes.heal();
        Instant healed = time.wall();
        machines.add(started(NODES));
        pass(PROGRESS.minus(LATEST));
        // a pause that is replaced or resumed late holds until nodes have read that
        boolean held = pauses.holds();
        pass(LATEST);
        if (!held && !pauses.holds()) {
            judgeProgress(healed);
        }
        pass(STEP.multipliedBy(2));
        keys().forEach(users::resume);
        pauses.resume(users::request);
        keys().forEach(users::mend);
        Instant latest = time.wall().plus(REST);
        while (time.wall().isBefore(latest) && keys().stream().anyMatch(this::isLive)) {
            pass(STEP);
            // it may have been held back again, for its failures
            keys().stream().filter(this::isHeld).forEach(users::resume);
            // the resumption may have come before the update, which then was of an old version
            keys().forEach(users::mend);
        }
        pass(STEP);
        nodes.judge();
        transactions.judge();
        if (rare.contains(RareFaults.SEAMS)) {
            nodes.up().forEach(this::judgeNode);
        }
        if (calendars != null) {
            calendars.judge();
        }
        examine();
    }

    /** Nothing that was thrown has left a node unable to run what is due, with the others standing still. */
    private void judgeNode(Machine machine) {
        List<Machine> others =
                nodes.up().stream().filter(other -> other != machine).toList();
        others.forEach(nodes::freeze);
        String key = "alone-" + time.wall();
        client.scheduler()
                .scheduleJob(JobSpecification.builder()
                        .jobSpecificationKey(key)
                        .jobRequestor("simulation")
                        .triggerCommand(new Note(0, 0))
                        .triggerIdentifier(key)
                        .singleSchedule(time.wall().plusSeconds(1))
                        .build());
        pass(PROGRESS);
        if (ledger.runs().stream().noneMatch(run -> run.job().equals(key))) {
            ledger.complain("a node that is well does not run what is due");
        }
        others.forEach(nodes::thaw);
    }

    /** What an operator does who wants to know whether all is well; that brings the rows whose writers have died (rule N4). */
    private void examine() {
        Scheduler doctor = Scheduler.builder()
                .store(server.truth())
                .time(time)
                .zone(ZoneOffset.UTC)
                .calendarReader(SimulationCalendars::read)
                .lanes(lanes.node())
                .command("note", SimulationNodes.NEW_VERSION, Note.class)
                .build();
        for (Finding finding : doctor.checkInvariants(STEP.dividedBy(2)).findings()) {
            if (finding.kind() == Finding.Kind.ROW_MISSING
                    && !server.mayLackRow(server.truth()
                            .find(finding.subject(), FindScope.INCLUDING_FINISHED)
                            .orElseThrow())) {
                ledger.complain("the newest change of " + finding.subject()
                        + " has left out its row, and its writer has met no fault");
            }
        }
    }

    /**
     * What was due or leased when the last fault had passed has been claimed since, by whichever node (rule B5): nothing is
     * left that is due for longer than a look takes while a node has a free slot.
     */
    private void judgeProgress(Instant healed) {
        Instant latest = time.wall().minus(rare.contains(RareFaults.LIMITS) ? PROGRESS : LATEST);
        if (!nodes.anyFree()) {
            return;
        }
        for (String key : keys()) {
            server.truth()
                    .find(key, FindScope.LIVE)
                    .filter(job -> job.specification().exclusiveGroup().isEmpty())
                    .filter(job -> job.due() != null && job.due().isBefore(latest))
                    .filter(job -> !SimulationRows.isOfRequest(job)
                            || job.lastStatus().updatedTime().isBefore(latest))
                    .ifPresent(job -> ledger.complain(key + " is due since " + job.due() + " and was not claimed by "
                            + time.wall() + ", all being well since " + healed));
        }
    }

    /** While a node is well that could run it, no job waits for its claim, but for its group or for a pause (rules B3, X7). */
    private void judgeLateness(StoredJob job, Instant since) {
        Instant now = time.wall();
        boolean judged = job.specification().exclusiveGroup().isEmpty()
                && !pauses.heldSince(since)
                && !faults.wasHeld(job.key(), since.minus(BACK_OFF), time.wall())
                && !rare.contains(RareFaults.LIMITS);
        if (judged && now.isAfter(since.plus(PUNCTUAL)) && nodes.anyWell(job.id(), since, now)) {
            ledger.complain(job.key() + " could be claimed since " + since + " and was at " + now
                    + ", although a node was well all the time");
        }
    }

    private boolean isDelayed(SimulationLedger.Run run) {
        SimulationServer.Claim claim = server.claim(run.id(), run.fencing());
        return claim != null && faults.hit(run.node(), claim.at(), run.begun());
    }

    /** On a node that is well, the helper is called soon after the claim, or at the fire if that comes later (rule B3). */
    private void judgeStart(SimulationLedger.Run run) {
        SimulationServer.Claim claim = server.claim(run.id(), run.fencing());
        if (claim == null
                || faults.hit(run.node(), claim.at().minus(PUNCTUAL), run.begun())
                || faults.wasHeld(run.job(), claim.at(), run.begun())) {
            return;
        }
        Instant since = claim.at().isBefore(run.fire()) ? run.fire() : claim.at();
        if (run.begun().isAfter(since.plus(PUNCTUAL))) {
            ledger.complain(run.job() + " could be started since " + since + " and was at " + run.begun()
                    + ", although node " + run.node() + " was well all the time");
        }
    }

    /** No node has more valid runs of the type than it may. */
    private void judgeLimit(SimulationLedger.Run run) {
        if (ledger.goingOn(run.node()) >= nodes.limit()) {
            ledger.complain(run.job() + " was started on node " + run.node() + " beyond its limit");
        }
    }

    private boolean isHeld(String key) {
        return server.truth()
                .find(key, FindScope.LIVE)
                .filter(job -> job.requests().pause() != null)
                .isPresent();
    }

    private boolean isLive(String key) {
        return server.truth().find(key, FindScope.LIVE).isPresent();
    }

    private Machine started(int place) {
        return nodes.started(() -> crash(place));
    }

    private void crash(int place) {
        nodes.crash(machines.get(place));
        machines.set(place, started(place));
    }

    private void drain(int place) {
        nodes.drain(machines.get(place), Duration.ofMillis(random.nextLong(9_000)));
        machines.set(place, started(place));
    }

    private void disturb(int place, String key) {
        Machine machine = machines.get(place);
        if (calendars != null && random.nextInt(6) == 0) {
            calendars.disturb(client.scheduler(), users::request);
        }
        requests.disturb(key);
        if (rare.contains(RareFaults.SCHEDULES) && random.nextInt(3) == 0) {
            users.changeSchedule(key);
        }
        if (rare.contains(RareFaults.CLOCKS) && random.nextInt(5) == 0) {
            nodes.setClock(random.nextInt(4) == 0 ? client : machine);
        }
        if (rare.contains(RareFaults.TRANSACTIONS) && random.nextInt(6) == 0) {
            transactions.begin(client, keys());
        }
        if (faultless) {
            users.ask(random.nextInt(9), key);
            return;
        }
        switch (random.nextInt(27)) {
            case 0 -> crash(place);
            case 1, 2 -> nodes.freeze(machine);
            case 3, 4, 5 -> nodes.thaw(machine);
            case 6 -> machine.network().disconnect();
            case 7, 8 -> machine.network().reconnect();
            case 9, 10 -> nodes.drawFaults(machine);
            case 11 -> nodes.drawFaults(client);
            case 12 -> {
                transactions.abortAll();
                server.failOver();
            }
            case 13, 14, 15, 16, 17, 18, 19, 20 -> users.ask(random.nextInt(9), key);
            case 21 -> users.doctor();
            case 22 -> drain(place);
            case 23 -> {
                int seconds = random.nextInt(20);
                server.refuse(key, Duration.ofSeconds(seconds), seconds % 2 == 0);
            }
            default -> {}
        }
    }
}
