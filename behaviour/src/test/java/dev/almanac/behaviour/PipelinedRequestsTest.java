package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.BulkResult;
import dev.almanac.model.IfRefused;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests for many jobs are under way a few at a time: the same over every kind of store. */
class PipelinedRequestsTest extends OverStores {
    private final List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());

    /** No call of a method is carried out before so many of them have come. */
    private JobStore meeting(String name, int calls) {
        CyclicBarrier all = new CyclicBarrier(calls);
        return StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals(name)) {
                sizes.add(((List<?>) arguments[0]).size());
                all.await(5, TimeUnit.MINUTES);
            }
            return call.proceed();
        });
    }

    private static JobSpecification later(String key) {
        return job(key).singleSchedule(START.plus(Duration.ofDays(1))).build();
    }

    private static List<JobSpecification> many(int count) {
        return IntStream.range(0, count).mapToObj(i -> later("j-" + i)).toList();
    }

    private static String[] keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "j-" + i).toArray(String[]::new);
    }

    private static List<Result> results(ActionReport report) {
        return report.items().stream().map(Item::result).toList();
    }

    private void assertAllStored(List<BulkResult> results, int count) {
        assertThat(results).extracting(BulkResult::key).containsExactly(keys(count));
        assertThat(results).extracting(BulkResult::error).containsOnlyNulls();
    }

    @Test
    @DisplayName("A2: changes of many jobs are under way four at a time, each a write of its own")
    void actions() {
        try (Scheduler client = client(meeting("write", 4))) {
            assertAllStored(client.scheduleJobs(many(8)), 8);
            JobSelection all = JobSelection.keys(keys(8));
            ActionReport paused = client.apply(JobAction.pause(Pause.because("audit")), all);
            assertThat(paused.items()).extracting(Item::key).containsExactly(keys(8));
            assertThat(results(paused)).hasSize(8).containsOnly(Result.DONE);
            assertThat(results(client.apply(JobAction.cancel(), all)))
                    .hasSize(8)
                    .containsOnly(Result.DONE);
            assertThat(sizes).hasSize(16).containsOnly(1);
            assertThat(client.history("j-5")).hasSize(3);
        }
    }

    @Test
    @DisplayName("A2: a job that is named twice is dealt with twice, one after the other")
    void namedTwice() {
        try (Scheduler client = client(world.store)) {
            client.scheduleJobs(many(2));
            client.apply(JobAction.pause(Pause.because("audit")), JobSelection.keys(keys(2)));
            ActionReport report = client.apply(JobAction.resume(), JobSelection.keys("j-0", "j-0", "j-1", "j-0"));
            assertThat(results(report)).containsExactly(Result.DONE, Result.UNCHANGED, Result.DONE, Result.UNCHANGED);
        }
    }

    @Test
    @DisplayName("R13: what an application does not declare any more is cancelled four at a time")
    void reconcile() {
        try (Scheduler client = client(meeting("write", 4))) {
            client.reconcile("shop", many(8), false);
            assertThat(client.reconcile("shop", List.of(), ReconcileOptions.DEFAULT.allowMassCancel(true))
                            .canceled())
                    .containsExactly(keys(8));
            assertThat(sizes).hasSize(8).containsOnly(1);
        }
    }

    @Test
    @DisplayName(
            "P7: the parts of scheduleJobs are under way at the same time, and so are changes of jobs that are there")
    void parts() {
        List<JobSpecification> thousand = many(1_000);
        try (Scheduler client = client(meeting("insert", 2))) {
            assertAllStored(client.scheduleJobs(thousand), 1_000);
            assertThat(sizes).containsExactly(500, 500);
            assertThat(client.history("j-999")).hasSize(1);
        }
        sizes.clear();
        List<JobSpecification> urgent = thousand.subList(0, 8).stream()
                .map(spec -> spec.toBuilder().priority(1).build())
                .toList();
        try (Scheduler client = client(meeting("write", 4))) {
            assertAllStored(client.scheduleJobs(urgent), 8);
            assertThat(sizes).hasSize(8).containsOnly(1);
        }
    }

    @Test
    @DisplayName("P7: of jobs of one key the last is stored, in whichever part it comes")
    void sameKey() {
        List<JobSpecification> all = new ArrayList<>(many(600));
        all.add(later("j-0").toBuilder().priority(1).build());
        all.add(later("j-0").toBuilder().priority(2).build());
        try (Scheduler client = client(world.store)) {
            assertThat(client.scheduleJobs(all)).extracting(BulkResult::error).containsOnlyNulls();
            Job last = client.findJobById("j-0").orElseThrow();
            assertThat(last.specification().priority()).isEqualTo(2);
            assertThat(last.specification().version()).isEqualTo(3);
        }
    }

    /** The part of this job arrives by half, every other job of it, and its reply is lost. */
    private JobStore halfOf(String key) {
        return StoreHook.over(world.store, (method, arguments, call) -> {
            if (!method.equals("insert") || !has(arguments[0], key)) {
                return call.proceed();
            }
            List<?> jobs = (List<?>) arguments[0];
            world.store.insert(IntStream.range(0, jobs.size() / 2)
                    .mapToObj(i -> (NewJob) jobs.get(2 * i))
                    .toList());
            throw new StoreException("the connection is cut", new IllegalStateException());
        });
    }

    private static boolean has(Object jobs, String key) {
        return ((List<?>) jobs)
                .stream().anyMatch(item -> ((NewJob) item).job().key().equals(key));
    }

    @Test
    @DisplayName(
            "P7: a part whose reply is lost is not repeated; each of its jobs has a result of its own, the others are stored")
    void unknown() {
        List<JobSpecification> thousand = many(1_000);
        try (Scheduler client = client(halfOf("j-700"))) {
            List<BulkResult> results = client.scheduleJobs(thousand, IfRefused.REPORT);
            assertThat(results).extracting(BulkResult::key).containsExactly(keys(1_000));
            for (int i = 0; i < 1_000; i++) {
                BulkResult result = results.get(i);
                boolean arrived = i < 500 || i % 2 == 0;
                assertThat(result.job() != null).as("j-%s", i).isEqualTo(arrived);
                assertThat(client.findJobById("j-" + i).isPresent()).isEqualTo(arrived);
                if (!arrived) {
                    assertThat(result.error()).isInstanceOf(StoreException.class);
                }
            }
            assertThat(client.history("j-700")).hasSize(1);
            assertThat(client.history("j-701")).isEmpty();
        }
        try (Scheduler again = client(world.store)) {
            assertAllStored(again.scheduleJobs(thousand), 1_000);
            assertThat(again.scheduleJobs(thousand).stream()
                            .map(BulkResult::job)
                            .map(Objects::requireNonNull)
                            .map(job -> job.specification().version()))
                    .as("nothing was stored twice or changed")
                    .containsOnly(1L);
            assertThat(again.history("j-701")).hasSize(1);
        }
    }
}
