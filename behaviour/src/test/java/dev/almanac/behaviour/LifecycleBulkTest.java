package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.Finding;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The edges L57 to L64 of contributing/lifecycle.md: orders for many jobs, groups, and rows that a crash left out. */
class LifecycleBulkTest extends LifecycleFixture {
    private static final Pause AUDIT = new Pause("audit", "ops", null);
    private static final String EVERY_TEN_MINUTES = "0 0/10 * * * ?";

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "type:note", "everything"})
    @DisplayName("L57 M3: a pause of a kind leaves its jobs' documents and rows as they are; no node claims them")
    void passedOver(String kind) {
        Machine a = world.node("a");
        schedule(a, "j", 5);
        StoredJob before = document("j");
        a.scheduler().pause(PauseScope.parse(kind), AUDIT);
        pass(60_000);
        assertThat(document("j")).isEqualTo(before);
        assertRows("j", "SCHEDULED/NONE");
        assertThat(world.calls).isEmpty();
    }

    @Test
    @DisplayName("L58 M3: once the pause is over the job is claimed as any that is due, and no row records the pause")
    void over() {
        Machine a = world.node("a");
        schedule(a, "j", 5);
        a.scheduler().pause(PauseScope.everything(), AUDIT);
        pass(60_000);
        a.scheduler().resume(PauseScope.everything());
        assertRows("j", "SCHEDULED/NONE");
        pass(2_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(5));
        assertRows("j", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("L59 M3: what is claimed or running when a pause of its kind comes goes on; its retry is held back")
    void goesOn() {
        Machine a = world.node("a");
        world.work = call ->
                world.calls.size() > 1 ? good() : slow(Duration.ofSeconds(5)).thenCompose(end -> bad());
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R1/PT1S")
                        .build());
        pass(2_000);
        a.scheduler().pause(PauseScope.commandType("note"), AUDIT);
        pass(60_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ATTEMPT_FAILED");
        a.scheduler().resume(PauseScope.commandType("note"));
        pass(2_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ATTEMPT_FAILED", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("L60 P9: a job whose group is busy is left as it is; it runs when the group is free, others meanwhile")
    void busyGroup() {
        Machine a = world.node("a");
        Machine b = world.node("b");
        world.work = call -> slow(Duration.ofSeconds(20));
        a.scheduler().scheduleJob(grouped("first", 1, "g"));
        a.scheduler().scheduleJob(grouped("second", 2, "g"));
        b.scheduler().scheduleJob(grouped("other", 2, "h"));
        StoredJob before = document("second");
        pass(10_000);
        assertThat(document("second")).isEqualTo(before);
        assertRows("second", "SCHEDULED/NONE");
        assertThat(world.callsOf("other")).hasSize(1);
        pass(40_000);
        assertRows("second", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        Instant free = world.callsOf("first").get(0).started().plusSeconds(20);
        assertThat(world.callsOf("second"))
                .singleElement()
                .satisfies(call -> assertThat(call.started()).isBetween(free, free.plusSeconds(2)));
    }

    @Test
    @DisplayName("L61 backfill: each past fire becomes a one-off of its own; the job itself is left as it is")
    void backfill() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(100_000);
        StoredJob before = document("j");
        a.scheduler().backfill("j", START.minusSeconds(1_200), START.minusSeconds(1));
        for (int seconds : List.of(1_200, 600)) {
            StoredJob single = document("j@" + START.minusSeconds(seconds));
            assertThat(single.specification().tags()).containsExactly("backfill");
            assertThat(single.specification().exclusiveGroup()).contains("backfill j");
            assertRows(single.key(), "SCHEDULED/NONE");
        }
        pass(5_000);
        assertThat(world.calls)
                .extracting(Call::fire)
                .containsExactly(START.minusSeconds(1_200), START.minusSeconds(600));
        assertThat(document("j")).isEqualTo(before);
    }

    @Test
    @DisplayName(
            "L62 R13: reconcile creates, updates and cancels with the rows of these; what is as declared is untouched")
    void reconciled() {
        Machine a = world.node("a");
        var job = job("stays").schedulingSpecification(EVERY_TEN_MINUTES);
        var stays = job.build();
        var changes = job.jobSpecificationKey("changes").build();
        var goes = job.jobSpecificationKey("goes").build();
        a.scheduler().reconcile("app", List.of(stays, changes, goes), false);
        StoredJob before = document("stays");
        var comes = job.jobSpecificationKey("comes").build();
        var changed = changes.toBuilder().priority(1).build();
        a.scheduler().reconcile("app", List.of(stays, changed, comes), false);
        assertThat(document("stays")).isEqualTo(before);
        assertRows("stays", "SCHEDULED/NONE");
        assertRows("changes", "SCHEDULED/NONE", "SCHEDULED/NONE");
        assertRows("comes", "SCHEDULED/NONE");
        assertRows("goes", "SCHEDULED/NONE", "CANCELED/CANCELED");
        assertFinished("goes");
    }

    @Test
    @DisplayName(
            "L63 P7: the row that a crash left out is written with the next user's change, and comes before its row")
    void rowWithNextChange() {
        Machine a = world.node("a");
        pausedWithoutRow(a);
        a.scheduler().resume(PauseScope.job("j"));
        assertThat(rows("j"))
                .extracting(row -> String.valueOf(row.detail()))
                .containsExactly("scheduled", "paused by ops: audit", "resumed");
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/PAUSED", "SCHEDULED/NONE");
    }

    @Test
    @DisplayName("L65 P7: the row that a crash left out is written by the holder of the next claim, before its own")
    void rowByHolder() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        Machine dying = world.node("dying", losingRows(), Duration.ZERO, builder -> builder);
        dying.scheduler().runNow("j");
        kill(dying);
        assertThat(rows("j")).as("it is lost").hasSize(1);
        pass(1_000);
        assertThat(rows("j"))
                .extracting(row -> String.valueOf(row.detail()))
                .startsWith("scheduled", "a run now was requested");
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("L64 P7: checkInvariants writes the newest row if it is missing, once; the document is left as it is")
    void rowByCheck() {
        Machine a = world.node("a");
        pausedWithoutRow(a);
        StoredJob before = document("j");
        pass(120_000);
        a.scheduler().checkInvariants(Duration.ofMinutes(5));
        assertThat(rows("j")).as("it may be about to come").hasSize(1);
        a.scheduler().checkInvariants(Duration.ofMinutes(1));
        assertThat(newest("j")).isEqualTo(before.lastStatus());
        a.scheduler().checkInvariants(Duration.ofMinutes(1));
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/PAUSED");
        assertThat(document("j")).isEqualTo(before);
    }

    @Test
    @DisplayName("L64 P7: checkInvariants writes the row of a cancel, too, that goes with its job")
    void rowOfFinishedByCheck() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        Machine dying = world.node("dying", losingRows(), Duration.ZERO, builder -> builder);
        dying.scheduler().cancelJob("j");
        kill(dying);
        pass(120_000);
        a.scheduler().checkInvariants(Duration.ofMinutes(5));
        assertThat(rows("j")).as("it may be about to come").hasSize(1);
        assertThat(rowsMissing(a)).containsExactly("j");
        assertThat(newest("j").deleteTime())
                .as("of a request")
                .isAfter(document("j").specification().deleteTime().orElseThrow());
        assertRows("j", "SCHEDULED/NONE", "CANCELED/CANCELED");
        assertThat(rowsMissing(a)).isEmpty();
    }

    private static List<String> rowsMissing(Machine node) {
        return node.scheduler().checkInvariants(Duration.ofMinutes(1)).findings().stream()
                .filter(finding -> finding.kind() == Finding.Kind.ROW_MISSING)
                .map(Finding::subject)
                .toList();
    }

    private static void schedule(Machine node, String key, int seconds) {
        node.scheduler()
                .scheduleJob(job(key).singleSchedule(START.plusSeconds(seconds))
                        .tags("t")
                        .build());
    }

    private static JobSpecification grouped(String key, int seconds, String group) {
        return job(key).singleSchedule(START.plusSeconds(seconds))
                .exclusiveGroup(group)
                .build();
    }

    /** The process that paused the job died between the document and the row. */
    private void pausedWithoutRow(Machine a) {
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        Machine dying = world.node("dying", losingRows(), Duration.ZERO, builder -> builder);
        dying.scheduler().pause(PauseScope.job("j"), AUDIT);
        kill(dying);
        assertThat(rows("j")).hasSize(1);
    }

    private JobStore losingRows() {
        JobStore store = world.store;
        return StoreHook.over(JobStore.class, store, (method, arguments, call) -> switch (method) {
            case "write" ->
                store.write(((List<?>) arguments[0])
                        .stream().map(LifecycleBulkTest::bare).toList());
            case "writeRows" -> null;
            default -> call.proceed();
        });
    }

    private static JobChange bare(Object written) {
        JobChange change = (JobChange) written;
        return new JobChange(change.before(), change.after(), List.of(), change.by());
    }
}
