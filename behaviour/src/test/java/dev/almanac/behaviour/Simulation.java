package dev.almanac.behaviour;

import dev.almanac.Scheduler;
import dev.almanac.helper.Execution;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.CancelResult;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.InMemoryJobStore;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
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
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Some nodes, a network that loses, delays and repeats, clocks that differ within the margin, crashes, processes that
 * stand still, and users who change their minds; everything from one seed. Then the network heals, everything comes to
 * rest, and what happened is judged.
 */
final class Simulation {
    private static final Instant START = Instant.parse("2099-03-02T08:00:00Z");
    private static final int NODES = 3;
    private static final int JOBS = 4;
    private static final Duration STORM = Duration.ofSeconds(70);
    private static final Duration CALM = Duration.ofSeconds(400);

    private record Note(int millis) implements SchedulingCommand {}

    private record Run(String job, String id, Instant fire, int attempt, long fencing, Execution execution) {}

    private final SplittableRandom random;
    private final ManualTime time = new ManualTime(START);
    private final ManualLanes lanes;
    private final ManualLanes.Node outside;
    private final InMemoryJobStore store = new InMemoryJobStore(time);
    private final @Nullable Mutants mutant;
    private final JobStore server;
    private final List<LossyStore> networks = new ArrayList<>();
    private final Map<Integer, ManualLanes.Node> machines = new HashMap<>();
    private final List<Run> runs = new ArrayList<>();
    private final Map<String, List<Run>> going = new HashMap<>();
    private final Set<String> canceled = new HashSet<>();
    private final Set<String> paused = new HashSet<>();
    private final List<String> complaints = new ArrayList<>();
    private final Scheduler clerk;

    private Simulation(long seed, @Nullable Mutants mutant) {
        this.random = new SplittableRandom(seed);
        this.lanes = new ManualLanes(time, seed);
        this.outside = lanes.node();
        this.mutant = mutant;
        this.server = mutant != null && !mutant.isOfNode() ? mutant.over(store, store) : store;
        this.clerk = node(server, Duration.ZERO, lanes.node());
    }

    /** What was found wrong; empty if nothing. */
    static List<String> run(long seed, @Nullable Mutants mutant) {
        return new Simulation(seed, mutant).play();
    }

    private Scheduler node(JobStore view, Duration skew, ManualLanes.Node own) {
        return Scheduler.builder()
                .store(view)
                .time(time.view(skew))
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(random.nextLong()))
                .lanes(own)
                .executor(own::execute)
                .command("note", 1, Note.class)
                .helper(new Runner())
                .build();
    }

    private void startNode(int number) {
        ManualLanes.Node own = lanes.node();
        machines.put(number, own);
        double loss = time.wall().isBefore(START.plus(STORM)) ? 0.12 : 0;
        LossyStore network = new LossyStore(server, random.nextLong(), loss, this::later, () -> {
            own.close();
            later(Duration.ofSeconds(2), () -> startNode(number));
        });
        networks.add(network);
        JobStore view = mutant != null && mutant.isOfNode() ? mutant.over(network, store) : network;
        Scheduler scheduler = node(view, Duration.ofMillis(random.nextLong(-600, 600)), own);
        try {
            scheduler.start();
        } catch (StoreException lost) {
            rehydrate(scheduler, own);
        }
    }

    /** As a service does whose first try at start met a broken network. */
    private void rehydrate(Scheduler scheduler, ManualLanes.Node own) {
        own.open("service", 1).after(Duration.ofSeconds(1), () -> {
            try {
                scheduler.rehydrate();
            } catch (StoreException lost) {
                rehydrate(scheduler, own);
            }
        });
    }

    private void later(Duration delay, Runnable action) {
        outside.open("outside", 1).after(delay, action);
    }

    private List<String> play() {
        for (int i = 0; i < JOBS; i++) {
            schedule(i);
        }
        for (int i = 0; i < NODES; i++) {
            startNode(i);
        }
        Instant end = START.plus(STORM);
        while (time.wall().isBefore(end)) {
            lanes.advance(Duration.ofMillis(random.nextLong(200, 2_500)));
            disturb();
        }
        networks.forEach(LossyStore::heal);
        machines.values().forEach(ManualLanes.Node::thaw);
        startNode(NODES);
        networks.get(networks.size() - 1).heal();
        for (String key : Set.copyOf(paused)) {
            request(() -> clerk.resume(PauseScope.job(key)));
        }
        lanes.advance(CALM);
        judge();
        return complaints;
    }

    private void schedule(int i) {
        var job = JobSpecification.builder()
                .jobSpecificationKey("job-" + i)
                .jobRequestor("simulation")
                .triggerCommand(new Note(random.nextInt(3) == 0 ? random.nextInt(9_000) : 0))
                .triggerIdentifier("" + i)
                .crashPolicy(random.nextInt(4) == 0 ? CrashPolicy.FAIL : CrashPolicy.RERUN);
        if (random.nextBoolean()) {
            job.singleSchedule(START.plusMillis(random.nextLong(1_000, 40_000)));
        } else {
            job.schedulingSpecification("0/15 * * * * ?")
                    .endAt(START.plusSeconds(100))
                    .missedFirePolicy(MissedFirePolicy.RUN_ALL);
        }
        clerk.scheduleJob(job.build());
    }

    private void disturb() {
        int number = random.nextInt(NODES);
        ManualLanes.Node machine = machines.get(number);
        String key = "job-" + random.nextInt(JOBS);
        switch (random.nextInt(14)) {
            case 0 -> {
                machine.close();
                startNode(number);
            }
            case 1, 2 -> machine.freeze();
            case 3, 4, 5 -> machine.thaw();
            case 6 -> cancel(key);
            case 7 ->
                request(() -> clerk.updateJob(
                        clerk
                                .findJobById(key)
                                .orElseThrow(() -> new JobNotFoundException(key))
                                .specification()
                                .toBuilder()
                                .priority(random.nextInt(8))
                                .build()));
            case 8 -> {
                if (request(() -> clerk.pause(PauseScope.job(key), new Pause("storm", "simulation", null)))) {
                    paused.add(key);
                }
            }
            case 9, 10 -> {
                request(() -> clerk.resume(PauseScope.job(key)));
                paused.remove(key);
            }
            case 11 -> request(() -> clerk.runNow(key));
            default -> {}
        }
    }

    private void cancel(String key) {
        Optional<StoredJob> before = store.find(key, FindScope.LIVE);
        if (clerk.cancelJob(key) == CancelResult.CANCELED) {
            before.ifPresent(job -> canceled.add(job.id()));
        }
    }

    private static boolean request(Runnable request) {
        try {
            request.run();
            return true;
        } catch (JobNotFoundException over) {
            return false;
        }
    }

    private void judge() {
        for (int i = 0; i < JOBS; i++) {
            StoredJob job = store.find("job-" + i, FindScope.INCLUDING_FINISHED).orElseThrow();
            judgeDocument(job);
            judgeFires(job);
        }
        judgeRepeats();
    }

    private void judgeDocument(StoredJob job) {
        List<JobExecutionStatus> rows = store.rows(RowQuery.ofDocument(job.id(), 10_000));
        JobExecutionStatus newest = rows.get(0);
        if (!newest.id().equals(job.lastStatus().id())) {
            complaints.add("the newest row of " + job.key() + " is " + newest.id() + " " + newest.outcome()
                    + ", lastStatus is " + job.lastStatus().id() + " "
                    + job.lastStatus().outcome());
        }
        boolean waits = job.isLive() && job.requests().pause() == null && job.blocked() == null;
        if (waits && job.due() == null) {
            complaints.add(job.key() + " is live and can never be claimed");
        }
        if (!job.isLive() && (job.due() != null || job.lease() != null)) {
            complaints.add(job.key() + " is over and yet due or leased");
        }
        if (job.isLive() && job.requests().pause() == null) {
            complaints.add(job.key() + " is not over: " + job.due() + " "
                    + job.lastStatus().outcome());
        }
    }

    /** Every planned fire was run, or is on record as missed, or the job was cancelled. */
    private void judgeFires(StoredJob job) {
        List<JobExecutionStatus> rows = store.rows(RowQuery.ofDocument(job.id(), 10_000));
        boolean over = rows.stream()
                .anyMatch(row -> row.executionStatus() == ExecutionStatus.CANCELED
                        || row.outcome() == Outcome.CRASHED
                        || row.outcome() == Outcome.ABANDONED && row.executionStatus() == ExecutionStatus.FAILED);
        if (over) {
            return;
        }
        Set<Instant> ran = new HashSet<>();
        runs.stream().filter(run -> run.id().equals(job.id())).forEach(run -> ran.add(run.fire()));
        if (!job.specification().isRecurring()) {
            if (!ran.contains(job.specification().singleSchedule())) {
                complaints.add("the fire of " + job.key() + " was lost");
            }
            return;
        }
        for (Instant fire = START.plusSeconds(15); !fire.isAfter(START.plusSeconds(100)); fire = fire.plusSeconds(15)) {
            if (!ran.contains(fire) && !isMissed(rows, fire)) {
                complaints.add("the fire of " + job.key() + " at " + fire + " was lost");
            }
        }
    }

    private static boolean isMissed(List<JobExecutionStatus> rows, Instant fire) {
        return rows.stream()
                .map(JobExecutionStatus::missed)
                .anyMatch(missed -> missed != null && !fire.isBefore(missed.first()) && !fire.isAfter(missed.last()));
    }

    /** A second run of the same attempt needs an ABANDONED row between the two, and none where it is forbidden. */
    private void judgeRepeats() {
        Map<String, Run> first = new HashMap<>();
        for (Run run : runs) {
            Run before = first.put(run.id() + " " + run.fire() + " " + run.attempt(), run);
            if (before == null || run.fencing() == 0) {
                continue;
            }
            List<JobExecutionStatus> rows = store.rows(RowQuery.ofDocument(run.id(), 10_000));
            boolean explained = rows.stream()
                    .anyMatch(row -> row.outcome() == Outcome.ABANDONED
                            && row.claimSeq() > before.fencing()
                            && row.claimSeq() <= run.fencing());
            boolean recorded = rows.stream()
                    .anyMatch(row ->
                            row.claimSeq() == before.fencing() && row.outcome() == Outcome.SUCCEEDED && !row.manual());
            StoredJob job = store.load(List.of(run.id())).get(0);
            boolean byHand = rows.stream().anyMatch(JobExecutionStatus::manual)
                    || rows.stream().anyMatch(row -> "a run at once was asked for".equals(row.detail()));
            if (!byHand && (!explained || recorded)) {
                complaints.add("a second run of " + run.job() + " at " + run.fire() + " without a reason, claims "
                        + before.fencing() + " and " + run.fencing());
            }
            if (!byHand && job.specification().crashPolicy() == CrashPolicy.FAIL) {
                complaints.add("a second run of " + run.job() + ", which must not run twice");
            }
        }
    }

    private final class Runner implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Note;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            throw new AssertionError("the overload with the execution is to be called");
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
            String key = execution.jobSpecificationKey();
            StoredJob job = store.find(key, FindScope.INCLUDING_FINISHED).orElseThrow();
            Run run = new Run(
                    key, job.id(), execution.fireTime(), execution.attempt(), execution.fencingToken(), execution);
            runs.add(run);
            judgeStart(run);
            going.computeIfAbsent(job.id(), any -> new ArrayList<>()).add(run);
            CompletableFuture<Void> end = new CompletableFuture<>();
            int millis = ((Note) command).millis();
            if (millis == 0) {
                over(run, end);
            } else {
                later(Duration.ofMillis(millis), () -> over(run, end));
            }
            return end;
        }

        private void over(Run run, CompletableFuture<Void> end) {
            going.getOrDefault(run.id(), new ArrayList<>()).remove(run);
            end.complete(null);
        }

        private void judgeStart(Run run) {
            if (canceled.contains(run.id())) {
                complaints.add(run.job() + " was started after CANCELED was answered");
            }
            for (Run other : going.getOrDefault(run.id(), List.of())) {
                if (isOwned(other) && isOwned(run)) {
                    complaints.add("two valid runs of " + run.job() + " at a time, claims " + other.fencing() + " and "
                            + run.fencing());
                }
            }
        }

        private boolean isOwned(Run run) {
            try {
                run.execution().assertOwned();
                return true;
            } catch (LeaseLostException lost) {
                return false;
            }
        }
    }
}
