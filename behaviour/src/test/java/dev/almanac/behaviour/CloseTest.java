package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.TimeSource;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing a scheduler with runs in progress. Real time, since the threads that close it are real. */
class CloseTest {
    private final InMemoryJobStore store = new InMemoryJobStore(TimeSource.system());
    private final CompletableFuture<Void> running = new CompletableFuture<>();
    /** Completed when close() has returned, which then has not waited for the run. */
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** The run is asked to end as soon as the scheduler is closed, and takes a while. */
    private void endSlowly() {
        running.complete(null);
        try {
            closed.get(3, TimeUnit.MINUTES);
        } catch (InterruptedException asked) {
            closed.copy().completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Scheduler scheduler(Consumer<String> work) {
        return Scheduler.builder()
                .store(store)
                .command("note", 1, Note.class, (note, run) -> work.accept(run.jobSpecificationKey()))
                .build();
    }

    private record Note() implements SchedulingCommand {}

    private static void schedule(Scheduler scheduler, String key, Duration ahead) {
        scheduler.scheduleJob(JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("test")
                .triggerCommand(new Note())
                .triggerIdentifier(key)
                .singleSchedule(TimeSource.system().wall().plus(ahead))
                .build());
    }

    private List<Outcome> outcomes(String key) {
        try (Scheduler reader = scheduler(id -> {})) {
            return reader.history(key).stream().map(JobExecutionStatus::outcome).toList();
        }
    }

    private Scheduler withRun() {
        Scheduler scheduler = scheduler(id -> endSlowly()).start();
        schedule(scheduler, "k", Duration.ofMillis(200));
        running.join();
        return scheduler;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("R14: close records the end of a run, also on a thread that is interrupted")
    void interrupted(boolean interrupted) throws Exception {
        Scheduler scheduler = withRun();
        CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
        Thread closer = new Thread(() -> {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            scheduler.close();
            closed.complete(null);
            stillInterrupted.complete(Thread.currentThread().isInterrupted());
        });
        closer.start();
        closer.join();
        assertThat(stillInterrupted.join()).isEqualTo(interrupted);
        assertThat(outcomes("k")).contains(Outcome.SUCCEEDED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancelled", "completed"})
    @DisplayName("R14: what a caller does with the future of beginDrain changes neither the drain nor close")
    void future(String how) {
        Scheduler scheduler = withRun();
        CompletableFuture<Void> drain = scheduler.beginDrain(Duration.ofMinutes(5));
        if (how.equals("cancelled")) {
            drain.cancel(true);
        } else {
            drain.complete(null);
        }
        scheduler.close();
        closed.complete(null);
        assertThat(outcomes("k")).contains(Outcome.SUCCEEDED);
    }

    @Test
    @DisplayName("R14: a helper that closes its scheduler leaves no other run unrecorded")
    void inside() {
        Scheduler[] own = new Scheduler[1];
        own[0] = scheduler(id -> {
            if (id.equals("closes")) {
                own[0].close();
                closed.complete(null);
            } else {
                endSlowly();
            }
        });
        own[0].start();
        schedule(own[0], "other", Duration.ofMillis(200));
        running.join();
        schedule(own[0], "closes", Duration.ofMillis(200));
        closed.join();
        assertThat(outcomes("other")).contains(Outcome.SUCCEEDED);
    }

    @Test
    @DisplayName("R14, M7: a job that is stored after close has its first row")
    void afterClose() {
        Scheduler scheduler = scheduler(id -> {}).start();
        scheduler.close();
        schedule(scheduler, "late", Duration.ofHours(1));
        assertThat(outcomes("late")).containsExactly(Outcome.NONE);
    }
}
