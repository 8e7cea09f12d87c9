package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.Lease;
import dev.almanac.store.MinuteReport;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What nodes have run, minute by minute, against the ledger of their helpers; over memory and a real server. */
class MinutesTest extends OverStores {
    private long sum(List<MinuteReport> minutes, String outcome) {
        return minutes.stream()
                .flatMap(minute -> minute.types().values().stream())
                .mapToLong(type -> type.outcomes().getOrDefault(outcome, 0L))
                .sum();
    }

    @Test
    @DisplayName("17.3: a manual run is counted by its outcome, and not among those that could have been late")
    void manual() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(10)).build());
        a.scheduler()
                .scheduleJob(
                        job("hourly").schedulingSpecification("0 0 * * * ?").build());
        a.scheduler().runNow("hourly");
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("hourly")).hasSize(1);
        List<MinuteReport> minutes = world.store.cluster().minutes(START.minusSeconds(60));
        assertThat(sum(minutes, "SUCCEEDED")).isEqualTo(2);
        assertThat(minutes.stream()
                        .map(minute -> minute.types().get("note").lateness())
                        .reduce(LatenessCounts.NONE, LatenessCounts::plus)
                        .total())
                .as("that of the planned run")
                .isOne();
    }

    @Test
    @DisplayName(
            "17.3: each node stores one document for a minute in which it ran something; the counts are the ledger's")
    void counts() {
        Machine a = world.node("a");
        world.work = call -> call.job().equals("bad")
                ? CompletableFuture.failedFuture(new IllegalStateException("closed"))
                : CompletableFuture.completedFuture(null);
        a.scheduler()
                .scheduleJob(
                        job("tick").schedulingSpecification("0/5 * * * * ?").build());
        a.scheduler()
                .scheduleJob(job("bad")
                        .singleSchedule(START.plusSeconds(5))
                        .retryPolicy("R2/PT20S")
                        .build());
        world.pass(Duration.ofMinutes(3).plusSeconds(1));
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(3));
        List<MinuteReport> minutes = world.store.cluster().minutes(START.minusSeconds(60));
        assertThat(minutes).hasSizeBetween(3, 5);
        assertThat(sum(minutes, "SUCCEEDED")).isEqualTo(world.callsOf("tick").size());
        assertThat(sum(minutes, "ATTEMPT_FAILED")).isEqualTo(2);
        assertThat(sum(minutes, "RETRIES_EXHAUSTED")).isEqualTo(1);
        LatenessCounts lateness = minutes.stream()
                .map(minute -> minute.types().get("note").lateness())
                .reduce(LatenessCounts.NONE, LatenessCounts::plus);
        assertThat(lateness.total()).isEqualTo(world.calls.size());
        assertThat(lateness.percentile(0.5)).isLessThan(Duration.ofSeconds(1));
        assertThat(minutes.stream()
                        .mapToLong(m -> m.types().get("note").retries())
                        .sum())
                .isEqualTo(2);
        assertThat(world.store.cluster().minutes(START.plus(Duration.ofHours(1))))
                .isEmpty();
        int before = minutes.size();
        world.pass(Duration.ofMinutes(5));
        assertThat(world.store.cluster().minutes(START.minusSeconds(60)))
                .as("nothing runs, nothing is written")
                .hasSize(before);
    }

    @Test
    @DisplayName("console: each minute counts by type what began late, and missed fires with those that were too late")
    void lateAndMissed() {
        Machine user = world.idleNode("user");
        for (Map.Entry<String, MissedFirePolicy> policy : Map.of(
                        "SKIP", MissedFirePolicy.SKIP, "RUN_LATEST", MissedFirePolicy.RUN_LATEST)
                .entrySet()) {
            user.scheduler()
                    .scheduleJob(job(policy.getKey())
                            .schedulingSpecification("0 0/10 * * * ?")
                            .missedFirePolicy(policy.getValue())
                            .lateExecutionThreshold(Duration.ofSeconds(10))
                            .build());
        }
        world.pass(Duration.ofMinutes(35));
        world.node("b");
        world.pass(Duration.ofMinutes(10));
        List<JobExecutionStatus> rows = Stream.of("SKIP", "RUN_LATEST")
                .flatMap(key -> world.store.rows(RowQuery.ofKey(key, 100)).stream())
                .toList();
        List<MinuteReport.OfType> minutes = world.store.cluster().minutes(START).stream()
                .flatMap(minute -> minute.types().values().stream())
                .toList();
        assertThat(minutes.stream().mapToLong(MinuteReport.OfType::late).sum())
                .isEqualTo(rows.stream().filter(JobExecutionStatus::late).count())
                .isEqualTo(1);
        assertThat(minutes.stream().mapToLong(MinuteReport.OfType::missed).sum())
                .isEqualTo(5);
        assertThat(minutes.stream().mapToLong(MinuteReport.OfType::tooLate).sum())
                .isEqualTo(rows.stream()
                        .filter(row -> row.missed() != null && row.missed().reason() == MissedFires.Reason.TOO_LATE)
                        .mapToLong(row -> row.missed().count())
                        .sum())
                .isPositive();
    }

    @Test
    @DisplayName(
            "console: each minute counts the fires that failed for good, as failures() lists them, whatever their outcome")
    void failedFires() {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        for (String key : List.of("fire1", "fire2", "byHand1", "byHand2")) {
            boolean byHand = key.startsWith("byHand");
            a.scheduler()
                    .scheduleJob(job(key).schedulingSpecification(byHand ? "0 0 0 1 1 ?" : "0 0/10 * * * ?")
                            .crashPolicy(CrashPolicy.FAIL)
                            .build());
            if (byHand) {
                a.scheduler().runNow(key);
            }
        }
        world.pass(Duration.ofSeconds(601));
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(3));
        Machine user = world.idleNode("user");
        Instant now = world.time.wall();
        StoredJob lost =
                store(user, job("lost").singleSchedule(now.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        Lease dead = new Lease("dead", 4711, now.plusSeconds(20));
        world.store.claim(new ClaimRequest(
                List.of(lost.id()), world.time.wall(), dead, dead.until().plusSeconds(2)));
        Machine b = world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().abandonedLimit(1).build()));
        world.pass(Duration.ofSeconds(60));
        b.scheduler().beginDrain(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(3));
        List<MinuteReport> minutes = world.store.cluster().minutes(START.minusSeconds(60));
        assertThat(sum(minutes, "CRASHED")).as("fires, and runs by hand").isEqualTo(4);
        assertThat(sum(minutes, "ABANDONED")).as("the claim, and its fire").isEqualTo(2);
        assertThat(user.scheduler().failures(null, null))
                .extracting(row -> row.jobSpecificationKey() + " " + row.outcome())
                .containsExactlyInAnyOrder("fire1 CRASHED", "fire2 CRASHED", "lost ABANDONED");
        assertThat(minutes.stream()
                        .flatMap(minute -> minute.types().values().stream())
                        .mapToLong(MinuteReport.OfType::failed)
                        .sum())
                .isEqualTo(3);
    }

    private StoredJob store(Machine user, JobSpecification job) {
        user.scheduler().scheduleJob(job);
        return world.store.find(job.jobSpecificationKey(), FindScope.LIVE).orElseThrow();
    }

    @Test
    @DisplayName("17.3: the counts of minutes in which the store did not answer are stored when it answers")
    void outage() {
        boolean[] silent = {false};
        JobStore view = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("cluster")) {
                return StoreHook.over(ClusterStore.class, (ClusterStore) call.proceed(), (name, given, inner) -> {
                    if (name.equals("addMinute") && silent[0]) {
                        throw new StoreException("no answer", null);
                    }
                    return inner.proceed();
                });
            }
            return call.proceed();
        });
        Machine a = world.node("a", view, Duration.ZERO, builder -> builder);
        a.scheduler()
                .scheduleJob(
                        job("tick").schedulingSpecification("0/30 * * * * ?").build());
        world.pass(Duration.ofMinutes(2));
        silent[0] = true;
        world.pass(Duration.ofMinutes(3));
        silent[0] = false;
        world.pass(Duration.ofMinutes(2));
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(3));
        assertThat(sum(world.store.cluster().minutes(START.minusSeconds(60)), "SUCCEEDED"))
                .isEqualTo(world.calls.size());
    }

    @Test
    @DisplayName(
            "17.3: counts of two minutes do not share a document, also if the server's clock goes back between them")
    void clockGoesBack() {
        Duration[] back = {Duration.ZERO};
        JobStore view = StoreHook.over(
                world.store,
                (method, arguments, call) ->
                        method.equals("serverTime") ? ((Instant) call.proceed()).minus(back[0]) : call.proceed());
        Machine a = world.node("a", view, Duration.ZERO, builder -> builder);
        a.scheduler()
                .scheduleJob(
                        job("tick").schedulingSpecification("0/5 * * * * ?").build());
        world.pass(Duration.ofMinutes(5));
        back[0] = Duration.ofSeconds(90);
        world.pass(Duration.ofMinutes(10));
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(3));
        assertThat(sum(world.store.cluster().minutes(START.minusSeconds(600)), "SUCCEEDED"))
                .isEqualTo(world.calls.size());
    }

    @Test
    @DisplayName("17.3: a percentile is the bound of its bucket, and never more than the worst")
    void percentiles() {
        LatenessCounts counts = LatenessCounts.NONE;
        for (int i = 1; i <= 100; i++) {
            counts = counts.plus(Duration.ofMillis(i));
        }
        assertThat(counts.percentile(0.5)).isEqualTo(Duration.ofMillis(50));
        assertThat(counts.percentile(0.99)).isEqualTo(Duration.ofMillis(100));
        assertThat(counts.plus(Duration.ofMillis(3)).percentile(0.01)).isEqualTo(Duration.ofMillis(2));
        assertThat(counts.plus(Duration.ofDays(1)).worst()).isEqualTo(Duration.ofDays(1));
        assertThat(counts.plus(Duration.ofDays(1)).percentile(1)).isEqualTo(Duration.ofDays(1));
        assertThat(LatenessCounts.NONE.percentile(0.5)).isEqualTo(Duration.ZERO);
        assertThat(LatenessCounts.NONE.plus(Duration.ofMillis(150)).percentile(0.5))
                .isEqualTo(Duration.ofMillis(150));
    }
}
