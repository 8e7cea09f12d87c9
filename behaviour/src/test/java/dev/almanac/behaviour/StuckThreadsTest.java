package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.OpenRun;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.RunExecutors;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.runtime.TimeSource;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Helpers that do not play fair, on real threads. */
class StuckThreadsTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch inside = new CountDownLatch(1);
    private final AtomicInteger ended = new AtomicInteger();
    private final TimeSource time = TimeSource.system();

    /** What jobs carry here. */
    record Note(String text) implements SchedulingCommand {}

    private final Scheduler scheduler = Scheduler.builder()
            .store(new InMemoryJobStore(time))
            .settings(SchedulerSettings.builder()
                    .maxConcurrentRuns(2)
                    .pastAcceptanceWindow(Duration.ofMinutes(1))
                    .build())
            .command("note", 1, Note.class)
            .helper(new Unfair())
            .listener(event -> {
                if (event instanceof SchedulerEvent.RunRecorded) {
                    ended.incrementAndGet();
                }
            })
            .build()
            .start();

    private final class Unfair implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return true;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            String what = ((Note) command).text();
            if (what.equals("deaf")) {
                inside.countDown();
                standInTheWay();
            } else if (what.equals("overflow")) {
                return deeper(0);
            } else if (what.equals("dead")) {
                throw new ThreadDeath();
            }
            return CompletableFuture.completedFuture(null);
        }

        private CompletionStage<Void> deeper(int depth) {
            return deeper(depth + 1).thenApply(nothing -> nothing);
        }

        private void standInTheWay() {
            while (release.getCount() > 0) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    // deaf
                }
            }
        }
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(3)).pollInterval(Duration.ofMillis(20));
    }

    @AfterEach
    void end() {
        release.countDown();
        scheduler.close();
    }

    private JobSpecificationBuilder job(String what) {
        return dev.almanac.model.JobSpecification.builder()
                .jobSpecificationKey(what)
                .jobRequestor("tests")
                .triggerCommand(new Note(what.replaceAll("\\d", "")))
                .triggerIdentifier(what)
                .singleSchedule(time.wall());
    }

    @Test
    @DisplayName(
            "X8, O5: a helper that ignores its timeout keeps slot and lease until it ends, and is shown as stuck, with its stack")
    void deaf() throws InterruptedException {
        scheduler.scheduleJob(
                job("deaf").executionTimeout(Duration.ofMillis(200)).build());
        inside.await();
        patiently()
                .until(() -> !scheduler.history("deaf").isEmpty()
                        && scheduler.history("deaf").get(0).outcome() == Outcome.TIMED_OUT);
        assertThat(scheduler.findJobById("deaf")).isPresent();
        assertThat(scheduler.node().runs()).isEqualTo(1);
        assertThat(scheduler.stuckRuns()).singleElement().satisfies(stuck -> {
            assertThat(stuck.run().place()).isEqualTo(OpenRun.Place.THREAD);
            assertThat(stuck.run().stack()).contains("standInTheWay").hasSizeLessThanOrEqualTo(4_000);
            assertThat(stuck.run().thread()).isNotBlank();
            assertThat(stuck.why()).contains("'" + stuck.run().thread() + "' is inside its helper");
        });
        assertThat(scheduler.health().state()).isEqualTo(Health.State.DEGRADED);
        release.countDown();
        patiently().until(() -> scheduler.node().runs() == 0);
        assertThat(scheduler.findJobById("deaf", FindScope.INCLUDING_FINISHED))
                .get()
                .satisfies(job -> assertThat(job.lastStatus().executionStatus()).isEqualTo(ExecutionStatus.FAILED));
        assertThat(scheduler.stuckRuns()).isEmpty();
        assertThat(scheduler.health().state()).isEqualTo(Health.State.UP);
    }

    @Test
    @DisplayName("X8: deaf helpers in all slots keep this node from others, which run as soon as the code has ended")
    void othersGoOn() {
        for (int i = 0; i < 2; i++) {
            scheduler.scheduleJob(
                    job("deaf" + i).executionTimeout(Duration.ofMillis(100)).build());
        }
        patiently().until(() -> scheduler.stuckRuns().size() == 2);
        for (int i = 0; i < 20; i++) {
            scheduler.scheduleJob(job("fair" + i).build());
        }
        assertThat(scheduler.node().runs()).isEqualTo(2);
        release.countDown();
        patiently().until(() -> scheduler.listJobs(JobQuery.all()).jobs().isEmpty());
        patiently().until(() -> scheduler.node().runs() == 0);
    }

    @Test
    @DisplayName("R5: a helper that overflows its stack, and one that ends its thread, have failed; slots are free")
    void overflowAndDeath() {
        scheduler.scheduleJob(job("overflow").build());
        scheduler.scheduleJob(job("dead").build());
        patiently().until(() -> ended.get() >= 2);
        patiently().until(() -> scheduler.node().runs() == 0);
        assertThat(scheduler.history("overflow").get(0).error().type()).isEqualTo(StackOverflowError.class.getName());
        assertThat(scheduler.history("dead").get(0).error().type()).isEqualTo(ThreadDeath.class.getName());
        assertThat(scheduler.stuckRuns()).isEmpty();
    }

    @Test
    @DisplayName("R10: the standard executor has room for runs beside as many that do not come back")
    void standardExecutor() throws InterruptedException {
        Executor executor = RunExecutors.standard(3);
        CountDownLatch started = new CountDownLatch(6);
        for (int i = 0; i < 6; i++) {
            executor.execute(() -> {
                started.countDown();
                patiently().until(() -> release.getCount() == 0);
            });
        }
        started.await();
        if (Runtime.version().feature() < 21) {
            assertThat(refuses(executor)).as("beyond that it refuses").isTrue();
        }
    }

    private static boolean refuses(Executor executor) {
        try {
            executor.execute(() -> {});
            return false;
        } catch (RejectedExecutionException e) {
            return true;
        }
    }
}
