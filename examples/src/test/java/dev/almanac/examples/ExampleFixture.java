package dev.almanac.examples;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Nodes on one store in memory, and a clock that the test moves. */
final class ExampleFixture {
    final ManualTime time;
    final JobStore store;
    private final ManualLanes lanes;

    /** One node, and its process. */
    record Node(Scheduler scheduler, ManualLanes.Node process) {
        void kill() {
            process.close();
        }
    }

    ExampleFixture(String start) {
        time = new ManualTime(Instant.parse(start));
        store = new InMemoryJobStore(time);
        lanes = new ManualLanes(time);
    }

    Node node(UnaryOperator<SchedulerBuilder> parts) {
        return service(builder -> parts.apply(builder).build().start());
    }

    /** @param start makes a started scheduler of a builder that has store, time and threads */
    Node service(Function<SchedulerBuilder, Scheduler> start) {
        ManualLanes.Node process = lanes.node();
        Scheduler scheduler = start.apply(
                Scheduler.builder().store(store).time(time).lanes(process).executor(process::execute));
        return new Node(scheduler, process);
    }

    Instant now() {
        return time.wall();
    }

    void pass(Duration duration) {
        lanes.advance(duration);
    }

    void until(String instant) {
        pass(Duration.between(now(), Instant.parse(instant)));
    }

    /** Oldest first. */
    static List<String> rows(Node node, String key) {
        List<String> rows = new ArrayList<>();
        node.scheduler().history(key).forEach(row -> rows.add(row.executionStatus() + "/" + row.outcome()));
        Collections.reverse(rows);
        return rows;
    }
}
