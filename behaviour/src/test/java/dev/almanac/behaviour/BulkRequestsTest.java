package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.BulkResult;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Declared sets, past ranges, previews, rows that a crash left out: the same over memory and a real server. */
class BulkRequestsTest extends OverStores {
    private static final String EACH_MINUTE = "0 * * * * ?";

    private static JobSpecification minutely(String key, int priority) {
        return job(key).schedulingSpecification(EACH_MINUTE).priority(priority).build();
    }

    private static JobSpecification of(String application, JobSpecification job) {
        return job.toBuilder().applicationTag(application).build();
    }

    @Test
    @DisplayName("R13: the declared set replaces the stored one; other applications and equal jobs are left alone")
    void reconcile() {
        Machine a = world.node("a");
        a.scheduler()
                .reconcile("app", List.of(minutely("stays", 4), minutely("changes", 4), minutely("goes", 4)), false);
        a.scheduler().scheduleJob(of("other", minutely("foreign", 4)));
        a.scheduler().scheduleJob(minutely("nobody's", 4));
        List<JobSpecification> declared = List.of(minutely("stays", 4), minutely("changes", 2), minutely("comes", 4));
        ReconcileResult dry = a.scheduler().reconcile("app", declared, true);
        assertThat(dry)
                .isEqualTo(new ReconcileResult(
                        List.of("comes"),
                        List.of("changes"),
                        List.of("stays"),
                        List.of("goes"),
                        List.of(),
                        true,
                        false,
                        null));
        assertThat(a.scheduler().findJobById("comes"))
                .as("a dry run does nothing")
                .isEmpty();
        assertThat(a.scheduler().findJobById("goes")).isPresent();
        ReconcileResult done = a.scheduler().reconcile("app", declared, false);
        assertThat(done.created()).containsExactly("comes");
        assertThat(done.canceled()).containsExactly("goes");
        assertThat(a.scheduler().findJobById("goes")).isEmpty();
        assertThat(a.scheduler()
                        .findJobById("changes")
                        .orElseThrow()
                        .specification()
                        .priority())
                .isEqualTo(2);
        assertThat(a.scheduler()
                        .findJobById("stays")
                        .orElseThrow()
                        .specification()
                        .version())
                .isEqualTo(1);
        assertThat(a.scheduler().findJobById("foreign")).isPresent();
        assertThat(a.scheduler().findJobById("nobody's")).isPresent();
        assertThat(a.scheduler().reconcile("app", declared, false).isEmpty()).isTrue();
    }

    @Test
    @DisplayName("R13: nodes that start with the same set create each job once and move no fire time")
    void reconcileByMany() {
        List<JobSpecification> declared = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            declared.add(minutely("job-" + i, 4));
        }
        List<Instant> first = new ArrayList<>();
        for (int n = 0; n < 6; n++) {
            Machine node = world.node("n" + n);
            node.scheduler().reconcile("app", declared, false);
            declared.forEach(job -> {
                var stored =
                        node.scheduler().findJobById(job.jobSpecificationKey()).orElseThrow();
                first.add(stored.nextFireTime());
                assertThat(stored.specification().version()).isEqualTo(1);
            });
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(first).containsOnly(START.plusSeconds(60));
    }

    @Test
    @DisplayName("R13: all problems of all declared jobs at once, and nothing is written")
    void reconcileRefused() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(of("other", minutely("theirs", 4)));
        List<JobSpecification> declared = List.of(
                minutely("good", 4),
                minutely("theirs", 4),
                job("bad").schedulingSpecification("0 0 25 * * ?").build());
        assertThatThrownBy(() -> a.scheduler().reconcile("app", declared, false))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("theirs: applicationTag 'other'")
                .hasMessageContaining("bad: schedulingSpecification");
        assertThat(a.scheduler().findJobById("good")).isEmpty();
        assertThatThrownBy(() ->
                        a.scheduler().reconcile("app", List.of(minutely("twice", 4), minutely("twice", 4)), false))
                .hasMessageContaining("declared twice");
        JobSpecification keyless = JobSpecification.builder()
                .jobRequestor("test")
                .schedulingSpecification("0 * * * * ?")
                .build();
        assertThatThrownBy(() -> a.scheduler().reconcile("app", List.of(keyless, keyless), false))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("jobSpecificationKey")
                .hasMessageNotContaining("twice");
        assertThatThrownBy(() -> a.scheduler().reconcile("app", List.of(of("x", minutely("j", 4))), false))
                .hasMessageContaining("leave it out");
    }

    @Test
    @DisplayName("R13: a declared one-off that has had its run is not run again at each start")
    void reconcileOneOff() {
        Machine a = world.node("a");
        List<JobSpecification> declared =
                List.of(job("once").singleSchedule(START.plusSeconds(5)).build());
        a.scheduler().reconcile("app", declared, false);
        world.pass(Duration.ofSeconds(10));
        assertThat(a.scheduler().reconcile("app", declared, false).unchanged()).containsExactly("once");
        world.pass(Duration.ofSeconds(10));
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("R13: a recurrence that is spent stays so; one that was cancelled and is declared again begins anew")
    void reconcileSpent() {
        Machine a = world.node("a");
        List<JobSpecification> declared = List.of(
                minutely("ended", 4).toBuilder().endAt(START.plusSeconds(60)).build(), minutely("back", 4));
        a.scheduler().reconcile("app", declared, false);
        world.pass(Duration.ofSeconds(70));
        a.scheduler().reconcile("app", declared.subList(0, 1), ReconcileOptions.DEFAULT.allowMassCancel(true));
        ReconcileResult again = a.scheduler().reconcile("app", declared, false);
        assertThat(again.unchanged()).containsExactly("ended");
        assertThat(again.created()).containsExactly("back");
        world.pass(Duration.ofSeconds(60));
        assertThat(world.callsOf("ended")).hasSize(1);
        assertThat(world.callsOf("back")).hasSize(2);
    }

    @Test
    @DisplayName("R13: the last fire of a recurrence runs while its other contents are declared anew: they are changed")
    void reconcileLastFire() {
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(30));
        JobSpecification last =
                minutely("last", 4).toBuilder().endAt(START.plusSeconds(60)).build();
        a.scheduler().reconcile("app", List.of(last), false);
        world.pass(Duration.ofSeconds(70));
        JobSpecification changed = last.toBuilder().priority(1).build();
        assertThat(a.scheduler().reconcile("app", List.of(changed), false).updated())
                .containsExactly("last");
        world.pass(Duration.ofSeconds(60));
        assertThat(world.callsOf("last")).hasSize(1);
    }

    @Test
    @DisplayName("backfill: the fires of a past range run once more, one after the other, flagged; the plan stays")
    void backfill() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(minutely("m", 4));
        world.pass(Duration.ofSeconds(200));
        int before = world.callsOf("m").size();
        Instant next = a.scheduler().findJobById("m").orElseThrow().nextFireTime();
        world.work = call -> world.after(Duration.ofMillis(400));
        List<BulkResult> asked = a.scheduler().backfill("m", START.plusSeconds(60), START.plusSeconds(180));
        assertThat(asked)
                .hasSize(2)
                .allSatisfy(result -> assertThat(result.error()).isNull());
        assertThat(a.scheduler()
                        .findJobById("m@" + START.plusSeconds(60))
                        .orElseThrow()
                        .specification()
                        .tags())
                .contains("backfill");
        world.pass(Duration.ofSeconds(5));
        List<Call> filled =
                world.calls.stream().filter(call -> call.job().startsWith("m@")).toList();
        assertThat(filled).extracting(Call::fire).containsExactly(START.plusSeconds(60), START.plusSeconds(120));
        assertThat(Duration.between(filled.get(0).started(), filled.get(1).started()))
                .isGreaterThanOrEqualTo(Duration.ofMillis(400));
        assertThat(world.callsOf("m")).hasSize(before);
        assertThat(a.scheduler().findJobById("m").orElseThrow().nextFireTime()).isEqualTo(next);
    }

    private List<Instant> filled() {
        return world.calls.stream()
                .filter(call -> call.job().startsWith("m@"))
                .map(Call::fire)
                .toList();
    }

    @Test
    @DisplayName("backfill: the fires run in their order also when one of them is retried; a later one waits for it")
    void backfillWithRetry() {
        Machine a = world.node("a");
        world.node("b");
        a.scheduler()
                .scheduleJob(
                        minutely("m", 4).toBuilder().retryPolicy("R2/PT30S").build());
        world.pass(Duration.ofSeconds(250));
        world.calls.clear();
        Instant second = START.plusSeconds(120);
        world.work = call -> call.fire().equals(second) && call.attempt() == 1
                ? CompletableFuture.failedFuture(new IllegalStateException("closed"))
                : CompletableFuture.completedFuture(null);
        a.scheduler().backfill("m", START.plusSeconds(60), START.plusSeconds(240));
        world.pass(Duration.ofSeconds(20));
        assertThat(filled()).containsExactly(START.plusSeconds(60), second);
        world.pass(Duration.ofSeconds(30));
        assertThat(filled()).containsExactly(START.plusSeconds(60), second, second, START.plusSeconds(180));
        assertThat(a.scheduler().history("m@" + START.plusSeconds(180))).hasSize(2);
    }

    private String headline(Machine node, Instant fire) {
        return node.scheduler().explainJob("m@" + fire).headline();
    }

    @Test
    @DisplayName(
            "backfill, O2: a fire behind one that is paused names it, and is claimed more rarely the longer that lasts")
    void backfillBehindPaused() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(minutely("m", 4));
        world.pass(Duration.ofSeconds(250));
        a.scheduler().backfill("m", START.plusSeconds(60), START.plusSeconds(240));
        Instant first = START.plusSeconds(60);
        Instant second = START.plusSeconds(120);
        Instant third = START.plusSeconds(180);
        a.scheduler().pause("m@" + first);
        world.calls.clear();
        world.pass(Duration.ofMinutes(60));
        assertThat(filled()).isEmpty();
        assertThat(headline(a, second))
                .startsWith("Job 'm@" + second + "' waits for 'm@" + first + "', which is paused");
        assertThat(headline(a, third)).contains("waits for 'm@" + first + "', which is paused");
        assertThat(world.store
                        .find("m@" + second, FindScope.LIVE)
                        .orElseThrow()
                        .revision()
                        .number())
                .as("claimed less than each 10 s")
                .isLessThan(150);
        a.scheduler().resume("m@" + first);
        world.pass(Duration.ofSeconds(2));
        assertThat(filled()).containsExactly(first);
        assertThat(headline(a, second)).doesNotContain("m@" + first);
        world.pass(Duration.ofMinutes(6));
        assertThat(filled()).containsExactly(first, second, third);
    }

    @Test
    @DisplayName("backfill, O2: a fire behind one that runs, or waits for its retry, names it")
    void backfillBehindRunning() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(
                        minutely("m", 4).toBuilder().retryPolicy("R2/PT30S").build());
        world.pass(Duration.ofSeconds(250));
        Instant first = START.plusSeconds(60);
        Instant second = START.plusSeconds(120);
        world.work = call -> world.after(Duration.ofSeconds(5))
                .thenCompose(done -> call.attempt() == 1
                        ? CompletableFuture.failedFuture(new IllegalStateException("closed"))
                        : CompletableFuture.completedFuture(null));
        a.scheduler().backfill("m", first, second.plusSeconds(1));
        world.pass(Duration.ofSeconds(3));
        assertThat(headline(a, second)).contains("waits for 'm@" + first + "', which is claimed");
        world.pass(Duration.ofSeconds(4));
        assertThat(headline(a, second)).contains("waits for 'm@" + first + "', which is retrying");
    }

    @Test
    @DisplayName("backfill: a range that is not past, is empty, or belongs to no job is refused")
    void backfillRefused() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(minutely("m", 4));
        assertThatThrownBy(() -> a.scheduler().backfill("m", START, START.plusSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ends before now");
        assertThatThrownBy(() -> a.scheduler().backfill("m", START, START))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> a.scheduler().backfill("none", START.minusSeconds(9), START))
                .isInstanceOf(JobNotFoundException.class);
        assertThatThrownBy(() -> a.scheduler().backfill("m", START.minus(Duration.ofDays(30)), START))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10000");
    }

    @Test
    @DisplayName("preview: the fires of a specification or of a job, each with its reason; nothing is stored")
    void preview() {
        Machine a = world.node("a");
        JobSpecification lost = job("p").schedulingSpecification("0 30 2 * * ?")
                .zoneId("Europe/Brussels")
                .startAt(Instant.parse("2099-03-28T12:00:00Z"))
                .build();
        List<FirePreview> fires = a.scheduler().previewFireTimes(lost, 2);
        assertThat(fires.get(0).reason()).isEqualTo(FirePreview.Reason.MOVED_BY_GAP);
        assertThat(fires.get(0).fireTime()).isEqualTo(Instant.parse("2099-03-29T01:00:00Z"));
        assertThat(fires.get(1).reason()).isEqualTo(FirePreview.Reason.REGULAR);
        assertThat(a.scheduler().findJobById("p")).isEmpty();
        a.scheduler().scheduleJob(lost);
        assertThat(a.scheduler().previewFireTimes("p", START, 2)).isEqualTo(fires);
        JobSpecification once = job("o").zoneId("Europe/Brussels")
                .singleSchedule(LocalDateTime.parse("2099-03-29T02:30"))
                .build();
        assertThat(a.scheduler().previewFireTimes(once, 5)).singleElement().satisfies(fire -> {
            assertThat(fire.reason()).isEqualTo(FirePreview.Reason.MOVED_BY_GAP);
            assertThat(fire.fireTime()).isEqualTo(Instant.parse("2099-03-29T01:00:00Z"));
        });
    }

    @Test
    @DisplayName("M3: changing what is not the schedule of a job whose last fire runs is accepted")
    void spentSchedule() {
        Machine a = world.node("a");
        world.work = call -> world.after(Duration.ofSeconds(30));
        JobSpecification last = job("last")
                .schedulingSpecification(EACH_MINUTE)
                .endAt(START.plusSeconds(60))
                .build();
        a.scheduler().scheduleJob(last);
        world.pass(Duration.ofSeconds(70));
        a.scheduler().updateJob(last.toBuilder().priority(1).build());
        assertThat(a.scheduler()
                        .findJobById("last")
                        .orElseThrow()
                        .specification()
                        .priority())
                .isEqualTo(1);
        world.pass(Duration.ofSeconds(60));
        assertThat(a.scheduler().findJobById("last")).isEmpty();
        assertThat(world.callsOf("last")).hasSize(1);
    }

    @Test
    @DisplayName("P7: the row that a crash left out after a user's change is written with the next user's change")
    void rowLeftOut() {
        FaultyStore network = new FaultyStore(world.store, world.lanes.node().open("network", 1))
                .fail(StoreCall.WRITE, 1, Fault.TORN)
                .fail(StoreCall.LOAD, 1, Fault.LOSE_REQUEST);
        Machine dying = world.node("dying", network, Duration.ZERO, builder -> builder);
        Machine a = world.node("a");
        a.scheduler().scheduleJob(minutely("j", 4));
        assertThatThrownBy(() -> dying.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null)))
                .isInstanceOf(StoreException.class);
        world.writeRows();
        assertThat(world.store.rows(RowQuery.ofKey("j", 10)))
                .as("the row is left out")
                .hasSize(1);
        a.scheduler().resume(PauseScope.job("j"));
        assertThat(a.scheduler().history("j"))
                .extracting(row -> String.valueOf(row.detail()))
                .containsExactly("resumed", "paused by ops: audit", "scheduled");
        assertThat(a.scheduler().findJobById("j").orElseThrow().lastStatus())
                .isEqualTo(a.scheduler().history("j").get(0));
    }
}
