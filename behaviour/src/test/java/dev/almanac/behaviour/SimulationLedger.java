package dev.almanac.behaviour;

import dev.almanac.helper.Execution;
import dev.almanac.helper.LeaseLostException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.FindScope;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.JobStore;
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
     * @param obeys whether the code ends as soon as its stage is cancelled; else the run is held until it has ended
     */
    record Note(int millis, int failures, boolean obeys) implements SchedulingCommand {
        Note(int millis, int failures) {
            this(millis, failures, true);
        }
    }

    /** One call of a helper. */
    record Run(String job, String id, String what, Instant fire, int attempt, long fencing, Execution execution) {}

    /** A pause holds from a second after it is acknowledged (rule X10). */
    private static final Duration PAUSE_HOLDS = Duration.ofSeconds(1);

    private record Window(Instant from, Instant to) {}

    private final ManualTime time;
    private final JobStore truth;
    private final SimulationTrace trace;
    private final List<Run> runs = new ArrayList<>();
    private final Map<String, List<Run>> going = new HashMap<>();
    private final Map<String, Long> fencings = new HashMap<>();
    private final Set<Integer> drained = new HashSet<>();
    private final List<Window> pauses = new ArrayList<>();
    private final Set<String> canceled = new HashSet<>();
    private final List<String> complaints = new ArrayList<>();

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
        trace.tell("COMPLAINT " + what);
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

    /** All commands of that type are paused from that moment until the other; it was acknowledged. */
    void paused(Instant from, Instant until) {
        trace.tell("paused until " + until);
        pauses.add(new Window(from, until));
    }

    /** From now on all commands are resumed, though it may be long until that is known. */
    void resumed() {
        trace.tell("resumed");
        pauses.replaceAll(pause -> pause.to().isBefore(time.wall()) ? pause : new Window(pause.from(), time.wall()));
    }

    /** A helper on that node. */
    SchedulingHelper helper(int number, ManualLanes.Node node) {
        return new Helper(number, node);
    }

    private void begin(Run run) {
        trace.tell("BEGIN " + words(run));
        runs.add(run);
        if (canceled.contains(run.id())) {
            complain(run.job() + " was started after CANCELED was answered");
        }
        if (time.wall().plus(CLOCK_ERROR).isBefore(run.fire())) {
            complain(run.job() + " was started at " + time.wall() + ", planned for " + run.fire());
        }
        Instant now = time.wall();
        if (pauses.stream()
                .anyMatch(pause -> now.isAfter(pause.from().plus(PAUSE_HOLDS))
                        && now.isBefore(pause.to().minus(PAUSE_HOLDS)))) {
            complain(run.job() + " was started at " + now + ", although it is paused");
        }
        Long before = fencings.put(run.id(), run.fencing());
        if (before != null && before >= run.fencing()) {
            complain(run.job() + " was started with fencing number " + run.fencing() + " after " + before);
        }
        judgeOwners(run);
        going.computeIfAbsent(run.id(), any -> new ArrayList<>()).add(run);
    }

    private void end(Run run) {
        trace.tell("END " + words(run));
        going.getOrDefault(run.id(), new ArrayList<>()).remove(run);
        judgeOwners(run);
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

    private void judgeGroup(Run run) {
        String group = group(run);
        if (group != null) {
            going.values().stream()
                    .flatMap(List::stream)
                    .filter(other -> !other.id().equals(run.id()) && group.equals(group(other)))
                    .filter(other -> isOwned(other) && isOwned(run))
                    .forEach(other -> complain(
                            run.job() + " and " + other.job() + " of group " + group + " have valid runs at a time"));
        }
    }

    private @Nullable String group(Run run) {
        return truth.load(List.of(run.id())).get(0).specification().exclusiveGroup();
    }

    private static boolean isOwned(Run run) {
        try {
            run.execution().assertOwned();
            return true;
        } catch (LeaseLostException lost) {
            return false;
        }
    }

    private final class Helper implements SchedulingHelper {
        private final int number;
        private final ManualLanes.Node node;

        Helper(int number, ManualLanes.Node node) {
            this.number = number;
            this.node = node;
        }

        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Note;
        }

        /** Which run has left it, and how many did. */
        private static void leaveState(Execution execution) {
            int runs = (int) execution.state().getOrDefault("runs", 0) + 1;
            execution.setState(Map.of("claim", execution.fencingToken(), "runs", runs));
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            throw new AssertionError("the overload with the execution is to be called");
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
            Run run = new Run(
                    key, document, id, execution.fireTime(), execution.attempt(), execution.fencingToken(), execution);
            Note note = (Note) command;
            CompletableFuture<Void> stage = new CompletableFuture<>();
            CompletableFuture<Void> code = note.obeys() ? stage : new CompletableFuture<>();
            begin(run);
            if (drained.contains(number)) {
                complain(run.job() + " was started on node " + number + ", which was drained");
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
                if (run.attempt() > note.failures()) {
                    stage.complete(null);
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
