package dev.almanac.behaviour;

import dev.almanac.helper.Execution;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.helper.PostponeException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.helper.SkipException;
import dev.almanac.model.FindScope;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Every run of a simulation, and what can be judged the moment that it starts or ends. */
final class SimulationLedger {
    /** The skew allowance: no clock is wrong by more. */
    private static final Duration CLOCK_ERROR = Duration.ofMillis(1_750);

    /**
     * What jobs carry.
     *
     * @param millis how long the code of a run takes
     * @param failures how many attempts of a fire fail
     * @param notNow how the first runs of a fire end that would go well
     * @param obeys whether the code ends as soon as its stage is cancelled; else the run is held until it has ended
     */
    record Note(int millis, int failures, boolean obeys, NotNow notNow) implements SchedulingCommand {
        Note(int millis, int failures) {
            this(millis, failures, true, NotNow.NEVER);
        }
    }

    /** Whether a fire is not to run now, as its helper finds out. */
    enum NotNow {
        NEVER,
        SKIP,
        /** Twice. */
        POSTPONE
    }

    /** One call of a helper. */
    record Run(
            String job,
            String id,
            String what,
            Instant fire,
            int attempt,
            long fencing,
            int node,
            Instant begun,
            Note note,
            Execution execution) {}

    private static final Duration PUT_OFF = Duration.ofSeconds(6);

    private final ManualTime time;
    private final JobStore truth;
    private final SimulationTrace trace;
    private final List<Run> runs = new ArrayList<>();
    private final Map<String, List<Run>> going = new HashMap<>();
    /** When the code of a job last ended on a node. */
    private final Map<String, Instant> ended = new HashMap<>();

    private final Map<String, Long> fencings = new HashMap<>();
    private final Set<Integer> drained = new HashSet<>();
    private final Set<String> canceled = new HashSet<>();
    private final List<String> complaints = new ArrayList<>();
    private final List<Consumer<Run>> begins = new ArrayList<>();
    /** How often a fire was put off, and until when. */
    private final Map<String, List<Postponed>> postponed = new HashMap<>();

    private record Postponed(long fencing, Instant until) {}

    SimulationLedger(ManualTime time, JobStore truth, SimulationTrace trace) {
        this.time = time;
        this.truth = truth;
        this.trace = trace;
    }

    List<Run> runs() {
        return runs;
    }

    List<String> complaints() {
        return complaints;
    }

    void complain(String what) {
        trace.write("COMPLAINT " + what);
        complaints.add(what);
    }

    /** A user was told CANCELED. */
    void canceled(String id) {
        canceled.add(id);
    }

    /** A node was told that it is drained: nothing starts there any more. */
    void drained(int number) {
        drained.add(number);
    }

    /** A helper on that node. */
    SchedulingHelper helper(int number, ManualLanes.Node node, Consumer<String> seam) {
        return new Helper(number, node, seam);
    }

    /** Is told of each run that begins. */
    void onBegin(Consumer<Run> told) {
        begins.add(told);
    }

    private void begin(Run run) {
        trace.write("BEGIN " + words(run));
        runs.add(run);
        if (canceled.contains(run.id())) {
            complain(run.job() + " was started after CANCELED was answered");
        }
        if (time.wall().plus(CLOCK_ERROR).isBefore(run.fire())) {
            complain(run.job() + " was started at " + time.wall() + ", planned for " + run.fire());
        }
        Long before = fencings.put(run.id(), run.fencing());
        if (before != null && before >= run.fencing()) {
            complain(run.job() + " was started with fencing number " + run.fencing() + " after " + before);
        }
        judgeOwners(run);
        judgePostponed(run);
        begins.forEach(told -> told.accept(run));
        going.computeIfAbsent(run.id(), any -> new ArrayList<>()).add(run);
    }

    private void end(Run run) {
        trace.write("END " + words(run));
        going.getOrDefault(run.id(), new ArrayList<>()).remove(run);
        ended.put(run.id() + " " + run.node(), time.wall());
        judgeOwners(run);
    }

    /** Whether code of the job has run on that node since then: it claims no job whose earlier run it has not ended. */
    boolean hasCodeSince(String id, int node, Instant since) {
        return ended.getOrDefault(id + " " + node, Instant.MIN).isAfter(since)
                || going.getOrDefault(id, List.of()).stream().anyMatch(run -> run.node() == node);
    }

    private static String words(Run run) {
        return run.job() + " " + run.what() + " " + run.fire() + ", attempt " + run.attempt() + ", claim "
                + run.fencing();
    }

    private void judgeOwners(Run run) {
        judgeGroup(run);
        for (Run other : going.getOrDefault(run.id(), List.of())) {
            if (isOwned(other) && isOwned(run)) {
                complain("two valid runs of " + run.job() + " at a time, claims " + other.fencing() + " and "
                        + run.fencing());
            }
        }
    }

    /** What was put off does not begin before its time, if that is on record. */
    private void judgePostponed(Run run) {
        for (Postponed before : postponed.getOrDefault(fireOf(run), List.of())) {
            if (time.wall().plus(CLOCK_ERROR).isBefore(before.until()) && isPostponed(run.id(), before.fencing())) {
                complain(run.job() + " was started at " + time.wall() + ", put off until " + before.until());
            }
        }
    }

    private static String fireOf(Run run) {
        return run.id() + " " + run.what() + " " + run.fire();
    }

    /** Whether the newest row says that the run of that claim was put off, so that nothing else came between. */
    private boolean isPostponed(String id, long fencing) {
        return truth.rows(RowQuery.ofDocument(id, 1)).stream()
                .anyMatch(row -> row.outcome() == Outcome.POSTPONED && row.claimSeq() == fencing);
    }

    /** How many valid runs that node has. */
    int goingOn(int node) {
        return (int) going.values().stream()
                .flatMap(List::stream)
                .filter(run -> run.node() == node && isOwned(run))
                .count();
    }

    private void judgeGroup(Run run) {
        String group = group(run);
        if (group != null && isOwned(run)) {
            List<String> others = going.values().stream()
                    .flatMap(List::stream)
                    .filter(other -> !other.id().equals(run.id()) && group.equals(group(other)))
                    .filter(SimulationLedger::isOwned)
                    .map(Run::job)
                    .toList();
            if (others.size() >= truth.cluster().control().group(group).limits().size()) {
                complain(run.job() + " and " + others + " of group " + group + " have valid runs at a time");
            }
        }
    }

    private @Nullable String group(Run run) {
        return truth.load(List.of(run.id()))
                .get(0)
                .specification()
                .exclusiveGroup()
                .orElse(null);
    }

    /** As the node knows it, without a call for it. */
    private static boolean isOwned(Run run) {
        return !run.execution().remainingLease().isZero();
    }

    /** Whether the lease is lost, as a helper asks before its last step; no later claim may be there if it is not. */
    private boolean isLost(Run run) {
        try {
            run.execution().assertOwned();
        } catch (LeaseLostException lost) {
            return true;
        }
        truth.load(List.of(run.id())).stream()
                .map(job -> job.sequences().claimSeq())
                .filter(claim -> claim > run.fencing())
                .forEach(claim -> complain(run.job() + " of claim " + run.fencing()
                        + " was told that it holds its lease, after claim " + claim));
        return false;
    }

    private final class Helper implements SchedulingHelper {
        private final int number;
        private final ManualLanes.Node node;

        private final Consumer<String> seam;

        Helper(int number, ManualLanes.Node node, Consumer<String> seam) {
            this.number = number;
            this.node = node;
            this.seam = seam;
        }

        @Override
        public boolean supports(SchedulingCommand command) {
            seam.accept("supports");
            return command instanceof Note;
        }

        /** Which run has left it, and how many did. */
        private static void leaveState(Execution execution) {
            int runs = (int) execution.state().getOrDefault("runs", 0) + 1;
            execution.setState(Map.of("claim", execution.fencingNumber(), "runs", runs));
        }

        private void go(CompletableFuture<Void> stage, Note note, Run run) {
            List<Postponed> before = postponed.computeIfAbsent(fireOf(run), any -> new ArrayList<>());
            if (note.notNow() == NotNow.SKIP) {
                stage.completeExceptionally(new SkipException("not now"));
            } else if (note.notNow() == NotNow.POSTPONE && before.size() < 2) {
                before.add(new Postponed(run.fencing(), time.wall().plus(PUT_OFF)));
                stage.completeExceptionally(new PostponeException(time.wall().plus(PUT_OFF), "later"));
            } else {
                stage.complete(null);
            }
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            throw new AssertionError("the overload with the execution is to be called");
        }

        @Override
        public CompletionStage<Void> lateExecute(
                String id, SchedulingCommand command, Duration over, Execution execution) {
            return execute(id, command, execution);
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
            String key = execution.jobSpecificationKey();
            String document = truth.find(key, FindScope.INCLUDING_FINISHED)
                    .map(StoredJob::id)
                    .orElse("deleted");
            if (document.equals("deleted")) {
                complain(key + " was started although it has ended well and is deleted");
            }
            Note note = (Note) command;
            Run run = new Run(
                    key,
                    document,
                    id,
                    execution.fireTime(),
                    execution.attempt(),
                    execution.fencingNumber(),
                    number,
                    time.wall(),
                    note,
                    execution);
            CompletableFuture<Void> stage = new CompletableFuture<>();
            CompletableFuture<Void> code = note.obeys() ? stage : new CompletableFuture<>();
            begin(run);
            if (drained.contains(number)) {
                complain(run.job() + " was started on node " + number + ", which was drained");
            }
            try {
                seam.accept("helper");
            } catch (RuntimeException | Error thrown) {
                end(run);
                throw thrown;
            }
            code.whenComplete((nothing, error) -> end(run));
            if (!note.obeys()) {
                execution.holdUntil(code);
            }
            Runnable end = () -> {
                if (!stage.isDone()) {
                    // else it was cancelled, and the run has ended
                    leaveState(execution);
                }
                if (run.fencing() % 2 == 0 && isLost(run)) {
                    stage.completeExceptionally(new LeaseLostException(run.job()));
                } else if (run.attempt() > note.failures()) {
                    go(stage, note, run);
                } else {
                    stage.completeExceptionally(new IllegalStateException("fails"));
                }
                code.complete(null);
            };
            if (note.millis() == 0) {
                end.run();
            } else {
                node.open("helper", 1).after(Duration.ofMillis(note.millis()), end);
            }
            return stage;
        }
    }
}
