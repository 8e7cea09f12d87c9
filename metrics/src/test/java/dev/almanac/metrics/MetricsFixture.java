package dev.almanac.metrics;

import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Nodes in virtual time on one store; what the helper does is up to the test. */
final class MetricsFixture {
    static final Instant START = Instant.parse("2099-03-02T08:00:00Z");

    record Note(String text) implements SchedulingCommand {}

    final ManualTime time = new ManualTime(START);
    final ManualLanes lanes = new ManualLanes(time);
    final InMemoryJobStore store = new InMemoryJobStore(time);
    UnaryOperator<CompletionStage<Void>> work = stage -> stage;

    Scheduler node(ManualLanes.Node own, SchedulerListener listener) {
        return node(own, store, listener);
    }

    /** @param way the node's way to the store */
    Scheduler node(ManualLanes.Node own, JobStore way, SchedulerListener listener) {
        return Scheduler.builder()
                .store(way)
                .time(time)
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(7))
                .lanes(own)
                .executor(own::execute)
                .command("note", 1, Note.class)
                .helper(new Writer())
                .listener(listener)
                .build();
    }

    static JobSpecificationBuilder job(String key) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("tests")
                .triggerCommand(new Note(key))
                .triggerIdentifier("id-" + key);
    }

    void pass(Duration duration) {
        lanes.advance(duration);
    }

    private final class Writer implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Note;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            return work.apply(CompletableFuture.completedFuture(null));
        }
    }
}
