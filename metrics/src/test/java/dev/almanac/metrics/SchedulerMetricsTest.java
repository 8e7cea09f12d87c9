package dev.almanac.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Backlog;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.contract.Specimens;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.time.ManualLanes;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerMetricsTest {
    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final Deque<Runnable> questions = new ArrayDeque<>();
    private final SchedulerMetrics metrics = new SchedulerMetrics(registry, Tags.empty(), questions::add);
    private final MetricsFixture fixture = new MetricsFixture();

    private double count(String name, String... tags) {
        var counter = registry.find(name).tags(tags).counter();
        return counter == null ? 0 : counter.count();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    @Test
    @DisplayName("O4: what is told in batches is measured: claims, completions, renewals, clock, store")
    void store() {
        metrics.on(new SchedulerEvent.BatchClaimed(10, 9, Duration.ofMillis(3)));
        metrics.on(new SchedulerEvent.BatchWritten(7, 7, Duration.ofMillis(4)));
        metrics.on(new SchedulerEvent.LeasesRenewed(6, 5, Duration.ofMillis(5)));
        assertThat(gauge("almanac.clock.offset")).isNaN();
        metrics.on(new SchedulerEvent.ClockMeasured(Duration.ofMillis(-12), Duration.ZERO));
        metrics.on(new SchedulerEvent.StoreUnreachable("claiming", "x"));
        metrics.on(new SchedulerEvent.StoreReachable(Duration.ofSeconds(1)));
        assertThat(registry.get("almanac.claim.batch").summary().totalAmount()).isEqualTo(9);
        assertThat(registry.get("almanac.claim.duration").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(3);
        assertThat(registry.get("almanac.completion.batch").summary().totalAmount())
                .isEqualTo(7);
        assertThat(registry.get("almanac.completion.duration").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(4);
        assertThat(registry.get("almanac.renewal.batch").summary().totalAmount())
                .isEqualTo(5);
        assertThat(registry.get("almanac.renewal.duration").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(5);
        assertThat(gauge("almanac.clock.offset")).isEqualTo(-0.012);
        assertThat(count("almanac.store.unreachable")).isEqualTo(1);
    }

    @Test
    @DisplayName("O4: what is told of single jobs is counted, and only what happened")
    void jobs() {
        metrics.on(new SchedulerEvent.LeaseLost("k", Instant.EPOCH, 1, true, "x"));
        metrics.on(new SchedulerEvent.ClaimReleased("k", "x"));
        metrics.on(new SchedulerEvent.JobBlocked("k", "x"));
        metrics.on(new SchedulerEvent.FiresMissed("k", new MissedFires(Instant.EPOCH, Instant.EPOCH, 4, false)));
        assertThat(count("almanac.leases.lost")).isEqualTo(1);
        assertThat(count("almanac.claims.released")).isEqualTo(1);
        assertThat(count("almanac.jobs.blocked")).isEqualTo(1);
        assertThat(count("almanac.fires.missed")).isEqualTo(4);
        for (String untouched : List.of(
                "almanac.jobs.registered",
                "almanac.jobs.updated",
                "almanac.jobs.canceled",
                "almanac.runs.recovered",
                "almanac.runs.late",
                "almanac.store.unreachable",
                "almanac.kernel.restarts",
                "almanac.rehydrations")) {
            assertThat(registry.get(untouched).counter().count()).as(untouched).isZero();
        }
        metrics.on(new SchedulerEvent.KernelRestarted("node-1", "no heap", false));
        assertThat(count("almanac.kernel.restarts")).isEqualTo(1);
        metrics.on(new SchedulerEvent.JobPaused("k", true, new dev.almanac.model.Actor("ann", null)));
        assertThat(registry.getMeters().stream()
                        .mapToDouble(SchedulerMetricsTest::sum)
                        .sum())
                .as("a pause is no other event")
                .isEqualTo(1 + 1 + 1 + 4 + 1);
    }

    private static double sum(Meter meter) {
        double sum = 0;
        for (var measurement : meter.measure()) {
            sum += Double.isNaN(measurement.getValue()) ? 0 : measurement.getValue();
        }
        return sum;
    }

    @Test
    @DisplayName("O4: a node that runs, retries, fails for good, is late, misses and is told of changes, in numbers")
    void aDay() {
        ManualLanes.Node own = fixture.lanes.node();
        Scheduler scheduler = fixture.node(own, metrics).start();
        metrics.watch(scheduler);
        fixture.pass(Duration.ZERO);
        assertThat(count("almanac.rehydrations")).isEqualTo(1);
        scheduler.scheduleJob(MetricsFixture.job("good")
                .singleSchedule(MetricsFixture.START.plusSeconds(2))
                .build());
        scheduler.scheduleJob(MetricsFixture.job("good")
                .priority(2)
                .singleSchedule(MetricsFixture.START.plusSeconds(2))
                .build());
        fixture.pass(Duration.ofSeconds(4));
        fixture.work = stage -> CompletableFuture.failedFuture(new IllegalStateException("no"));
        scheduler.scheduleJob(MetricsFixture.job("bad")
                .retryPolicy(RetryPolicy.parse("R2/PT1S"))
                .singleSchedule(fixture.time.wall().plusSeconds(1))
                .build());
        fixture.pass(Duration.ofSeconds(10));
        fixture.work = stage -> stage;
        scheduler.scheduleJob(MetricsFixture.job("often")
                .schedulingSpecification("0/10 * * * * ?")
                .lateExecutionThreshold(Duration.ofSeconds(1))
                .missedFirePolicy(MissedFirePolicy.RUN_LATEST)
                .build());
        own.freeze();
        fixture.pass(Duration.ofSeconds(45));
        own.thaw();
        fixture.pass(Duration.ofSeconds(1));
        scheduler.cancelJob("often");
        fixture.pass(Duration.ZERO);
        assertThat(count("almanac.jobs.registered")).isEqualTo(3);
        assertThat(count("almanac.jobs.updated")).isEqualTo(1);
        assertThat(count("almanac.jobs.canceled")).isEqualTo(1);
        assertThat(count("almanac.retries", "type", "note")).isEqualTo(2);
        assertThat(count("almanac.failures", "type", "note")).isEqualTo(1);
        assertThat(count("almanac.runs", "type", "note", "outcome", "SUCCEEDED"))
                .isEqualTo(3);
        assertThat(count("almanac.runs", "type", "note", "outcome", "ATTEMPT_FAILED"))
                .isEqualTo(2);
        assertThat(count("almanac.runs", "type", "note", "outcome", "RETRIES_EXHAUSTED"))
                .isEqualTo(1);
        assertThat(count("almanac.runs.late")).isEqualTo(1);
        assertThat(count("almanac.fires.missed")).isEqualTo(3);
        assertThat(registry.get("almanac.lateness").timer().count()).isEqualTo(6);
        assertThat(registry.get("almanac.run.duration")
                        .tag("good", "false")
                        .timer()
                        .count())
                .isEqualTo(3);
        assertThat(registry.get("almanac.run.duration")
                        .tag("good", "true")
                        .timer()
                        .count())
                .isEqualTo(3);
        assertThat(gauge("almanac.slots.limit")).isEqualTo(64);
        assertThat(gauge("almanac.slots.used")).isZero();
        assertThat(gauge("almanac.health")).isZero();
    }

    @Test
    @DisplayName("who reads the backlog does not wait: it is counted beside, not more often than each 15 s")
    void backlog() {
        Scheduler scheduler = fixture.node(fixture.lanes.node(), metrics);
        metrics.watch(scheduler);
        assertThat(gauge("almanac.jobs.live")).isNaN();
        assertThat(questions)
                .as("a scheduler that has not started is left alone")
                .isEmpty();
        scheduler.scheduleJob(MetricsFixture.job("a")
                .singleSchedule(MetricsFixture.START.plusSeconds(60))
                .build());
        scheduler.start();
        fixture.pass(Duration.ZERO);
        assertThat(questions).as("live, open failures, overdue, unserved").hasSize(4);
        assertThat(gauge("almanac.jobs.live")).isNaN();
        answer();
        assertThat(gauge("almanac.jobs.live")).isEqualTo(1);
        assertThat(gauge("almanac.jobs.overdue")).isZero();
        assertThat(gauge("almanac.jobs.overdue.age")).isZero();
        assertThat(questions).isEmpty();
        clock.add(BacklogWatch.FRESH);
        assertThat(gauge("almanac.jobs.overdue")).isZero();
        assertThat(gauge("almanac.jobs.overdue.age")).isZero();
        assertThat(questions).as("what is read is asked, once").hasSize(1);
        answer();
        assertThat(questions).isEmpty();
        clock.add(BacklogWatch.FRESH);
        assertThat(gauge("almanac.jobs.live")).isEqualTo(1);
        scheduler.beginDrain(Duration.ZERO);
        fixture.pass(Duration.ofSeconds(1));
        answer();
        clock.add(BacklogWatch.FRESH);
        assertThat(gauge("almanac.jobs.live"))
                .as("a node that has stopped knows nothing")
                .isNaN();
        assertThat(questions).isEmpty();
    }

    /** The store answers what it was asked. */
    private void answer() {
        List.copyOf(questions).forEach(Runnable::run);
        questions.clear();
    }

    @Test
    @DisplayName("R11: what a count costs does not grow with the jobs: live ones are counted up to a limit")
    void manyJobs() {
        Scheduler scheduler = fixture.node(fixture.lanes.node(), metrics);
        metrics.watch(scheduler);
        scheduler.start();
        fixture.pass(Duration.ZERO);
        fixture.store.insert(IntStream.range(0, Scheduler.LIVE_JOBS_COUNTED - 1)
                .mapToObj(i -> Specimens.minimal("k" + i, MetricsFixture.START.plusSeconds(3_600)))
                .toList());
        answer();
        assertThat(gauge("almanac.jobs.live")).isEqualTo(Scheduler.LIVE_JOBS_COUNTED - 1);
        fixture.store.insert(IntStream.range(0, 5)
                .mapToObj(i -> Specimens.minimal("more" + i, MetricsFixture.START.plusSeconds(3_600)))
                .toList());
        clock.add(BacklogWatch.FRESH);
        assertThat(gauge("almanac.jobs.live")).isEqualTo(Scheduler.LIVE_JOBS_COUNTED - 1);
        answer();
        assertThat(gauge("almanac.jobs.live")).isEqualTo(Scheduler.LIVE_JOBS_COUNTED);
    }

    @ParameterizedTest
    @CsvSource({
        "LIVE_JOBS, almanac.jobs.live",
        "OPEN_FAILURES, almanac.failures.open",
        "DUE, almanac.jobs.overdue almanac.jobs.overdue.age",
        "OTHER_DUE_TYPES, almanac.jobs.unserved almanac.jobs.unserved.age"
    })
    @DisplayName("O4: a question about the backlog that the store does not answer leaves the other gauges known")
    void oneUnanswered(StoreCall call, String unknown) {
        FaultyStore way = new FaultyStore(fixture.store, fixture.lanes.node().open("network", 1));
        Scheduler scheduler = fixture.node(fixture.lanes.node(), way, metrics);
        metrics.watch(scheduler);
        scheduler.start();
        fixture.pass(Duration.ZERO);
        for (int i = 1; i <= 10; i++) {
            way.fail(call, way.calls(call) + i, Fault.LOSE_REQUEST);
        }
        answer();
        assertThat(List.of(
                        "almanac.jobs.live",
                        "almanac.failures.open",
                        "almanac.jobs.overdue",
                        "almanac.jobs.overdue.age",
                        "almanac.jobs.unserved",
                        "almanac.jobs.unserved.age"))
                .filteredOn(name -> Double.isNaN(gauge(name)))
                .containsExactlyInAnyOrder(unknown.split(" "));
        way.heal();
        clock.add(BacklogWatch.FRESH);
        for (String name : unknown.split(" ")) {
            gauge(name);
            answer();
            assertThat(gauge(name)).as(name).isZero();
        }
    }

    @Test
    @DisplayName("while the store does not answer the backlog is unknown, not what it was")
    void unknownBacklog() {
        boolean[] down = {false};
        BacklogWatch<Backlog> watch = new BacklogWatch<>(
                () -> {
                    if (down[0]) {
                        throw new StoreException("silent", null);
                    }
                    return new Backlog(2, Duration.ofMillis(1_500));
                },
                clock::monotonicTime,
                Runnable::run);
        watch.begin();
        assertThat(watch.read(b -> b.overdueJobs())).isEqualTo(2);
        down[0] = true;
        clock.add(BacklogWatch.FRESH);
        watch.read(b -> b.overdueJobs());
        assertThat(watch.read(b -> b.overdueJobs())).isNaN();
        down[0] = false;
        clock.add(BacklogWatch.FRESH);
        watch.read(b -> b.overdueJobs());
        assertThat(watch.read(b -> b.oldestOverdue().toMillis())).isEqualTo(1_500);
    }

    @Test
    @DisplayName("X2: the backlog is counted again after a count for which there was no thread")
    void noThreadForBacklog() {
        int[] overdue = {2};
        boolean[] scarce = {false};
        BacklogWatch<Backlog> watch =
                new BacklogWatch<>(() -> new Backlog(overdue[0], Duration.ZERO), clock::monotonicTime, question -> {
                    if (scarce[0]) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    question.run();
                });
        watch.begin();
        scarce[0] = true;
        overdue[0] = 900;
        clock.add(BacklogWatch.FRESH);
        assertThat(watch.read(b -> b.overdueJobs())).as("as last counted").isEqualTo(2);
        scarce[0] = false;
        watch.read(b -> b.overdueJobs());
        assertThat(watch.read(b -> b.overdueJobs())).isEqualTo(900);
    }

    @Test
    @DisplayName("cardinality is bounded: more than 100 command types share one name, and keys are never tags")
    void cardinality() {
        for (int i = 0; i < 500; i++) {
            metrics.on(new SchedulerEvent.RunEnded(
                    "key-" + i, "type-" + i, Instant.EPOCH, 1, Duration.ofMillis(1), i % 2 == 0));
            metrics.on(new SchedulerEvent.RunRecorded(
                    "key-" + i, "type-" + i, Specimens.row("j", "key-" + i, "v1", Instant.EPOCH)));
        }
        assertThat(registry.find("almanac.run.duration").timers()).hasSize(RunMeters.MOST_TYPES + 2);
        assertThat(count("almanac.runs", "type", RunMeters.OTHER)).isEqualTo(400);
        assertThat(registry.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .noneMatch(tag -> tag.getValue().startsWith("key-"));
    }

    @Test
    @DisplayName("two schedulers in one registry are distinguished by their tags; closing one takes its meters away")
    void two() {
        SchedulerMetrics other = new SchedulerMetrics(registry, Tags.of("scheduler", "other"));
        other.on(new SchedulerEvent.ClaimReleased("k", "x"));
        assertThat(count("almanac.claims.released", "scheduler", "other")).isEqualTo(1);
        int all = registry.getMeters().size();
        other.close();
        other.close();
        assertThat(registry.getMeters()).hasSize(all / 2);
        assertThat(registry.find("almanac.claims.released")
                        .tags("scheduler", "other")
                        .counter())
                .isNull();
    }

    private static void runOf(SchedulerMetrics told, String type) {
        told.on(new SchedulerEvent.RunEnded("k", type, Instant.EPOCH, 1, Duration.ofMillis(1), true));
        told.on(new SchedulerEvent.RunRecorded("k", type, Specimens.row("j", "k", "v1", Instant.EPOCH)));
    }

    @Test
    @DisplayName("after close nothing is registered and nothing counted, also not in the meters of one that follows")
    void closed() {
        metrics.close();
        runOf(metrics, "letter");
        metrics.watch(fixture.node(fixture.lanes.node(), metrics));
        assertThat(registry.getMeters()).isEmpty();

        SchedulerMetrics next = new SchedulerMetrics(registry);
        runOf(next, "letter");
        int all = registry.getMeters().size();
        runOf(metrics, "letter");
        runOf(metrics, "other");
        assertThat(registry.getMeters()).hasSize(all);
        assertThat(registry.get("almanac.run.duration").timer().count()).isEqualTo(1);
    }

    @Test
    @DisplayName("an event that is told while the meters are closed registers none behind the close")
    void whileClosing() {
        SimpleMeterRegistry own = new SimpleMeterRegistry();
        Meters meters = new Meters(own, Tags.empty());
        meters.removeAll();
        meters.counter("almanac.runs", "told before the close, and registered after it")
                .increment();
        assertThat(own.getMeters()).isEmpty();
    }

    @Test
    @DisplayName("the uptime is as old as the counters: both begin again with those that follow a close")
    void uptime() {
        clock.add(Duration.ofMinutes(10));
        metrics.on(new SchedulerEvent.ClaimReleased("k", "x"));
        assertThat(gauge("almanac.uptime")).isEqualTo(600);
        metrics.close();
        new SchedulerMetrics(registry);
        clock.add(Duration.ofSeconds(3));
        assertThat(gauge("almanac.uptime")).isEqualTo(3);
        assertThat(count("almanac.claims.released")).isZero();
    }
}
