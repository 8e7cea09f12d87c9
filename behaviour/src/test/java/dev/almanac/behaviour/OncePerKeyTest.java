package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.model.History;
import dev.almanac.model.IfExists;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.store.JobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule S12: a key is used once, however late and however often it is asked for, as long as its job is kept. */
class OncePerKeyTest extends OverStores {
    private static JobSpecification soon(History history) {
        return job("pay-17")
                .singleSchedule(START.plusSeconds(60))
                .history(history)
                .build();
    }

    private static Job once(Scheduler scheduler, History history) {
        return scheduler.scheduleJob(soon(history), IfExists.ONCE);
    }

    private static String id(Job job) {
        return job.lastStatus().jobSpecificationId();
    }

    @ParameterizedTest
    @CsvSource({
        "ALL, SUCCEEDED",
        "ALL, FAILED",
        "ALL, CANCELED",
        "TROUBLE, SUCCEEDED",
        "TROUBLE, FAILED",
        "TROUBLE, CANCELED"
    })
    @DisplayName("S12: a job that has ended is returned, though its moment has passed, and nothing runs again")
    void ended(History history, JobState end) {
        Scheduler scheduler = world.node("a").scheduler();
        world.work = call -> end == JobState.FAILED
                ? CompletableFuture.failedFuture(new IllegalStateException("planned"))
                : CompletableFuture.completedFuture(null);
        Job first = once(scheduler, history);
        assertThat(id(once(scheduler, history))).as("while it is live").isEqualTo(id(first));
        if (end == JobState.CANCELED) {
            scheduler.cancelJob("pay-17");
        }
        world.pass(Duration.ofMinutes(2));
        int calls = world.calls.size();
        Job again = once(scheduler, history);
        assertThat(id(again)).isEqualTo(id(first));
        assertThat(again.jobState()).isEqualTo(end);
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(calls);
        JobSpecification later = soon(history).toBuilder()
                .singleSchedule(START.plus(Duration.ofMinutes(30)))
                .build();
        assertThat(id(scheduler.scheduleJob(later)))
                .as("the neighbour: REPLACE makes a new job of an ended one")
                .isNotEqualTo(id(first));
    }

    @Test
    @DisplayName("S12: a job that is created and ends between the read and the insert is the one that is returned")
    void endsMeanwhile() {
        Scheduler other = world.node("a").scheduler();
        AtomicBoolean armed = new AtomicBoolean(true);
        List<String> made = new ArrayList<>();
        JobStore way = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("insert") && armed.getAndSet(false)) {
                made.add(id(once(other, History.TROUBLE)));
                world.pass(Duration.ofMinutes(2));
            }
            return call.proceed();
        });
        Job late = once(client(way), History.TROUBLE);
        assertThat(made).containsExactly(id(late));
        assertThat(late.jobState()).isEqualTo(JobState.SUCCEEDED);
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("S12: of eight threads that ask at the same moment all get the same job")
    void atOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Future<String>> answers = new ArrayList<>();
        try (Pool pool = new Pool(Executors.newFixedThreadPool(8))) {
            for (int i = 0; i < 8; i++) {
                Scheduler scheduler = client(world.store);
                answers.add(pool.threads().submit(() -> {
                    go.await();
                    return id(once(scheduler, History.ALL));
                }));
            }
            go.countDown();
            Set<String> ids = new HashSet<>();
            for (Future<String> answer : answers) {
                ids.add(answer.get());
            }
            assertThat(ids).hasSize(1);
        }
    }

    private record Pool(ExecutorService threads) implements AutoCloseable {
        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
