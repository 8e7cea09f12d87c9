package dev.almanac.behaviour;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Nodes on one store in virtual time, and a ledger of what their helpers were asked to do. */
final class World {
    static final Instant START = Instant.parse("2099-03-02T08:00:00Z");

    /** What jobs carry here. */
    record Note(String text) implements SchedulingCommand {}

    /** One call of a helper. */
    record Call(String node, String job, Instant fire, Instant started, Duration over, int attempt, long fencing) {}

    /** One node. */
    record Machine(String name, Scheduler scheduler, ManualLanes.Node lanes, List<SchedulerEvent> events) {}

    final ManualTime time = new ManualTime(START);
    final ManualLanes lanes;
    final JobStore store;
    final List<Call> calls = new ArrayList<>();
    /** The contents that each call was given. */
    final List<String> texts = new ArrayList<>();

    Function<Call, CompletionStage<Void>> work = call -> CompletableFuture.completedFuture(null);
    /** Told of each run as it begins. */
    Consumer<Execution> begun = execution -> {};

    private final List<Machine> machines = new ArrayList<>();
    private final long seed;
    private final ManualLanes.Node outside;
    private int clients;

    /** @param seed of the order of steps that have equal times; 0 = the order in which they came */
    World(long seed, Function<ManualTime, JobStore> store) {
        this.seed = seed;
        this.store = store.apply(time);
        this.lanes = seed == 0 ? new ManualLanes(time) : new ManualLanes(time, seed);
        this.outside = lanes.node();
    }

    Machine node(String name) {
        return node(name, store, Duration.ZERO, builder -> builder);
    }

    /** A node that users ask, and that claims nothing. */
    Machine idleNode(String name) {
        return node(name, store, Duration.ZERO, World::idle);
    }

    static SchedulerBuilder idle(SchedulerBuilder builder) {
        return builder.settings(SchedulerSettings.builder().autoRehydrate(false).build());
    }

    Machine node(String name, JobStore view, Duration skew, UnaryOperator<SchedulerBuilder> more) {
        ManualLanes.Node own = lanes.node();
        List<SchedulerEvent> events = new ArrayList<>();
        Scheduler scheduler = more.apply(Scheduler.builder()
                        .store(view)
                        .time(time.view(skew))
                        .zone(ZoneOffset.UTC)
                        .random(new SplittableRandom(seed * 31 + name.hashCode()))
                        .lanes(own)
                        .executor(own::execute)
                        .command("note", 1, Note.class)
                        .settings(SchedulerSettings.defaults())
                        .helper(new Ledger(name))
                        .listener(events::add))
                .build()
                .start();
        Machine machine = new Machine(name, scheduler, own, events);
        machines.add(machine);
        return machine;
    }

    /** A scheduler that is never started: somebody at another machine, whose requests take no time. */
    Scheduler client(UnaryOperator<SchedulerBuilder> more) {
        return more.apply(Scheduler.builder()
                        .store(store)
                        .time(time)
                        .zone(ZoneOffset.UTC)
                        .random(new SplittableRandom(++clients))
                        .lanes(lanes.node())
                        .command("note", 1, Note.class))
                .build();
    }

    /** Each node writes the rows that follow the jobs that it has stored. */
    void writeRows() {
        machines.forEach(machine -> machine.scheduler().history(""));
    }

    /** Happens in the world outside, whatever becomes of the nodes. */
    void later(Duration delay, Runnable event) {
        outside.open("outside", 1).after(delay, event);
    }

    /** A run that ends well after a while. */
    CompletionStage<Void> after(Duration duration) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        later(duration, () -> end.complete(null));
        return end;
    }

    /** The stage of a run that nothing but its code ends: a cancel has no effect. */
    static CompletableFuture<Void> deaf() {
        return new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return false;
            }
        };
    }

    void pass(Duration duration) {
        lanes.advance(duration);
    }

    static JobSpecificationBuilder job(String key) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("tests")
                .triggerCommand(new Note(key))
                .triggerIdentifier("id-" + key);
    }

    List<Call> callsOf(String job) {
        return calls.stream().filter(call -> call.job().equals(job)).toList();
    }

    /** Oldest first. */
    static List<String> outcomes(Machine machine, String key) {
        List<JobExecutionStatus> rows = new ArrayList<>(machine.scheduler().history(key));
        java.util.Collections.reverse(rows);
        return rows.stream()
                .map(row -> row.executionStatus() + "/" + row.outcome())
                .toList();
    }

    private final class Ledger implements SchedulingHelper {
        private final String node;

        Ledger(String node) {
            this.node = node;
        }

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
            return lateExecute(id, command, Duration.ZERO, execution);
        }

        @Override
        public CompletionStage<Void> lateExecute(
                String id, SchedulingCommand command, Duration over, Execution execution) {
            Call call = new Call(
                    node,
                    execution.jobSpecificationKey(),
                    execution.fireTime(),
                    time.wall(),
                    over,
                    execution.attempt(),
                    execution.fencingNumber());
            calls.add(call);
            texts.add(((Note) command).text());
            begun.accept(execution);
            return work.apply(call);
        }
    }
}
