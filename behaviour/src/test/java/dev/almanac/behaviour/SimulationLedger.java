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

/** Every run of a simulation, and what can be judged the moment that it starts or ends. */
final class SimulationLedger {
    /** The skew allowance: no clock is wrong by more. */
    private static final Duration CLOCK_ERROR = Duration.ofMillis(1_750);

    /** What jobs carry: how long a run takes, and how many attempts of a fire fail. */
    record Note(int millis, int failures) implements SchedulingCommand {}

    /** One call of a helper. */
    record Run(String job, String id, Instant fire, int attempt, long fencing, Execution execution) {}

    private final ManualTime time;
    private final JobStore truth;
    private final List<Run> runs = new ArrayList<>();
    private final Map<String, List<Run>> going = new HashMap<>();
    private final Map<String, Long> fencings = new HashMap<>();
    private final Set<String> canceled = new HashSet<>();
    private final List<String> complaints = new ArrayList<>();

    SimulationLedger(ManualTime time, JobStore truth) {
        this.time = time;
        this.truth = truth;
    }

    List<Run> runs() {
        return runs;
    }

    List<String> complaints() {
        return complaints;
    }

    void complain(String what) {
        complaints.add(what);
    }

    /** A user was told CANCELED. */
    void canceled(String id) {
        canceled.add(id);
    }

    /** A helper on that node. */
    SchedulingHelper helper(ManualLanes.Node node) {
        return new Helper(node);
    }

    private void begin(Run run) {
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
        going.computeIfAbsent(run.id(), any -> new ArrayList<>()).add(run);
    }

    private void end(Run run) {
        going.getOrDefault(run.id(), new ArrayList<>()).remove(run);
        judgeOwners(run);
    }

    private void judgeOwners(Run run) {
        for (Run other : going.getOrDefault(run.id(), List.of())) {
            if (isOwned(other) && isOwned(run)) {
                complain("two valid runs of " + run.job() + " at a time, claims " + other.fencing() + " and "
                        + run.fencing());
            }
        }
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
        private final ManualLanes.Node node;

        Helper(ManualLanes.Node node) {
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
                    key, document, execution.fireTime(), execution.attempt(), execution.fencingToken(), execution);
            Note note = (Note) command;
            CompletableFuture<Void> stage = new CompletableFuture<>();
            begin(run);
            Runnable end = () -> {
                end(run);
                if (!stage.isDone()) {
                    // else it was cancelled, and the run has ended
                    leaveState(execution);
                }
                if (run.attempt() > note.failures()) {
                    stage.complete(null);
                } else {
                    stage.completeExceptionally(new IllegalStateException("fails"));
                }
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
