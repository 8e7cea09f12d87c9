package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.TimeSource;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Threads on which helpers run, after the scheduler is closed. Real time, since these threads are real. */
class OwnThreadsTest {
    private record Note() implements SchedulingCommand {}

    /** Tells on which thread it was called. */
    private record Told(CompletableFuture<Thread> thread) implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return true;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            thread.complete(Thread.currentThread());
            return CompletableFuture.completedFuture(null);
        }
    }

    /** The thread of a run, when the scheduler is closed. */
    private static Thread afterClose(SchedulerBuilder builder) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        try (Scheduler scheduler = builder.store(new InMemoryJobStore(TimeSource.system()))
                .command("note", 1, Note.class)
                .helper(new Told(thread))
                .build()) {
            scheduler.start();
            scheduler.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey("note")
                    .jobRequestor("test")
                    .triggerCommand(new Note())
                    .triggerIdentifier("1")
                    .singleSchedule(TimeSource.system().wall().plus(Duration.ofMillis(200)))
                    .build());
            return thread.get(3, TimeUnit.MINUTES);
        }
    }

    @Test
    @DisplayName(
            "R14: close ends the threads of the scheduler's own executor, at once and not when they have been idle")
    void own() throws Exception {
        Thread thread = afterClose(Scheduler.builder());
        // less than the 30 s after which an idle thread ends
        thread.join(25_000);
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    @DisplayName("R10, R14: an executor of the service's goes on")
    void given() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        Thread thread = afterClose(Scheduler.builder().executor(executor));
        assertThat(executor.isShutdown()).isFalse();
        assertThat(thread.isAlive()).isTrue();
        executor.shutdown();
    }
}
