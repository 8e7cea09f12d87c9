package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FindScope;
import dev.almanac.model.Finding;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a job if the server takes its document and refuses the row that follows it. */
class RefusedRowsTest {
    /** A lease of patience, and the rest after the pass before. */
    private static final Duration REPAIRED = Duration.ofMinutes(6);

    private final World world = new World(0, InMemoryJobStore::new);
    private final RowValidator validator = new RowValidator(world.store);

    private StoredJob stored(String key) {
        return world.store.find(key, FindScope.LIVE).orElseThrow();
    }

    private List<JobExecutionStatus> rows(String key) {
        return world.store.rows(RowQuery.ofKey(key, 100));
    }

    /** A node that finds the fires of 08:10 to 08:40 passed, and may not write which of them are missed. */
    private Machine missing(JobSpecification job) {
        Scheduler user = world.client(builder -> builder);
        user.scheduleJob(job);
        user.scheduleJob(job("fair").singleSchedule(START.plusSeconds(600)).build());
        world.pass(Duration.ofSeconds(2_500));
        validator.refuse(row -> row.missed() != null);
        Machine a = world.node("a", validator.way(), Duration.ZERO, builder -> builder);
        world.pass(Duration.ofMinutes(5));
        assertThat(validator.refusals()).as("tries").isBetween(1, 8);
        assertThat(a.events())
                .noneMatch(SchedulerEvent.StoreUnreachable.class::isInstance)
                .noneMatch(SchedulerEvent.LeaseLost.class::isInstance);
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(rows("j")).noneMatch(row -> row.missed() != null);
        assertThat(outcomes(a, "fair")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        return a;
    }

    private static JobSpecification everyTenMinutes(MissedFirePolicy policy, CrashPolicy crash) {
        return job("j").schedulingSpecification("0 0/10 * * * ?")
                .missedFirePolicy(policy)
                .crashPolicy(crash)
                .build();
    }

    private void assertMissedOnce(int last) {
        assertThat(rows("j"))
                .filteredOn(row -> row.missed() != null)
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.missed().first()).isEqualTo(START.plusSeconds(600));
                    assertThat(row.missed().last()).isEqualTo(START.plusSeconds(last));
                });
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "L96 N2: a row that the server refuses blocks nothing: the job runs its fire, and that row alone is missing")
    void missedAndGoesOn(CrashPolicy crash) {
        JobSpecification job = everyTenMinutes(MissedFirePolicy.RUN_LATEST, crash);
        Machine a = missing(job);
        assertThat(stored("j").blocked()).isNull();
        assertThat(world.callsOf("j")).extracting(Call::fire).containsExactly(START.plusSeconds(2_400));
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "X9 R4: a claim that is over with the plan is over, also if its row of missed fires is refused; the next row brings it")
    void missedAndOver() {
        Machine a = missing(everyTenMinutes(MissedFirePolicy.SKIP, CrashPolicy.RERUN));
        assertThat(stored("j").blocked()).isNull();
        assertThat(stored("j").due()).isEqualTo(START.plusSeconds(3_000));
        validator.refuse(row -> false);
        world.pass(Duration.ofMinutes(4));
        assertThat(world.callsOf("j")).extracting(Call::fire).containsExactly(START.plusSeconds(3_000));
        assertMissedOnce(2_400);
        assertThat(outcomes(a, "j")).endsWith("SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("X9 P2: what is refused of a claim that is over touches no later claim of another node")
    void missedAndClaimedByAnother() {
        Scheduler user = world.client(builder -> builder);
        user.scheduleJob(everyTenMinutes(MissedFirePolicy.SKIP, CrashPolicy.RERUN));
        world.pass(Duration.ofSeconds(2_997));
        validator.refuse(row -> row.missed() != null);
        List<String> lost = new ArrayList<>();
        JobStore way = StoreHook.over(validator.way(), (method, arguments, call) -> {
            try {
                return method.equals("claim") && !lost.isEmpty()
                        ? new ClaimResult(List.of(), List.of())
                        : call.proceed();
            } catch (WriteRefusedException e) {
                lost.add(method);
                throw e;
            }
        });
        Machine a = world.node("a", way, Duration.ZERO, builder -> builder);
        world.work = call -> world.after(Duration.ofSeconds(30));
        world.pass(Duration.ofSeconds(1));
        world.node("b");
        world.pass(Duration.ofMinutes(2));
        assertThat(lost).isNotEmpty().containsOnly("writeRows");
        assertThat(world.callsOf("j")).extracting(Call::node).containsExactly("b");
        assertThat(stored("j").blocked()).isNull();
        assertThat(outcomes(a, "j")).endsWith("SCHEDULED/SUCCEEDED").doesNotContain("SCHEDULED/ABANDONED");
        assertThat(a.scheduler().node().runs()).isZero();
    }

    private void pause(Machine a, String key) {
        validator.refuse(row -> row.jobSpecificationKey().equals(key));
        // the document is written, and shows the row
        a.scheduler().pause(PauseScope.job(key), Pause.because("audit"));
    }

    @Test
    @DisplayName("X9 P7: a row that the server refuses does not keep others from being repaired, and a check names it")
    void repairs() {
        Machine a = world.node("a", validator.way(), Duration.ZERO, builder -> builder);
        for (String key : List.of("fair0", "bad", "fair1")) {
            a.scheduler()
                    .scheduleJob(job(key).schedulingSpecification("0 0 0 * * ?").build());
        }
        world.writeRows();
        List.of("fair0", "fair1", "bad").forEach(key -> pause(a, key));
        world.pass(REPAIRED);
        for (String key : List.of("fair0", "fair1")) {
            assertThat(rows(key).get(0).detail()).startsWith("paused");
        }
        assertThat(rows("bad")).hasSize(1);
        assertThat(a.events()).noneMatch(SchedulerEvent.StoreUnreachable.class::isInstance);
        assertThat(a.scheduler().health().reasons()).anyMatch(reason -> reason.contains("repairing rows"));
        assertThat(a.scheduler().checkInvariants().findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Finding.Kind.ROW_MISSING);
            assertThat(finding.subject()).isEqualTo("bad");
            assertThat(finding.advice()).contains("a validator refuses it");
        });
        validator.refuse(row -> false);
        world.pass(REPAIRED);
        assertThat(rows("bad").get(0).detail()).startsWith("paused");
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
    }

    @Test
    @DisplayName(
            "N4: a request writes the row that it replaces, if the process of that row has died before it wrote it")
    void replaced() {
        ManualLanes.Node process = world.lanes.node();
        Scheduler dying = world.client(builder -> builder.lanes(process));
        dying.scheduleJob(job("j").singleSchedule(START.plusSeconds(3_600)).build());
        dying.scheduleJob(job("quiet")
                .singleSchedule(START.plusSeconds(3_600))
                .history(History.TROUBLE)
                .build());
        process.close();
        world.pass(Duration.ofSeconds(10));
        assertThat(rows("j")).as("nobody has written it").isEmpty();
        Scheduler user = world.client(builder -> builder);
        for (String key : List.of("j", "quiet")) {
            user.updateJob(user.findJobById(key).orElseThrow().specification().toBuilder()
                    .priority(2)
                    .build());
            user.cancelJob(key);
        }
        assertThat(rows("j"))
                .extracting(row -> row.outcome() + " " + row.detail())
                .containsExactly("CANCELED cancelled", "NONE updated", "NONE scheduled");
        assertThat(rows("quiet"))
                .as("TROUBLE keeps no row of a creation")
                .extracting(JobExecutionStatus::detail)
                .containsExactly("cancelled", "updated");
    }
}
