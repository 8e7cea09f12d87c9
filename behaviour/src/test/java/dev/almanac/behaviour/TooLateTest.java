package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.Explanation;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fires that wait too long for their first start, and those that nothing keeps from it. */
class TooLateTest extends LifecycleFixture {
    private static final Pause AUDIT = new Pause("audit", "ops", null);

    /** Somebody who schedules jobs and runs none. */
    private Machine user() {
        return world.idleNode("user");
    }

    private static Instant at(long minutes) {
        return START.plusSeconds(minutes * 60);
    }

    private void passMinutes(long minutes) {
        world.pass(Duration.ofMinutes(minutes));
    }

    private List<Instant> fires(String key) {
        return world.callsOf(key).stream().map(Call::fire).toList();
    }

    private MissedFires missed(String key) {
        return rows(key).stream()
                .filter(row -> row.outcome() == Outcome.MISSED)
                .reduce((first, second) -> second)
                .orElseThrow()
                .missed();
    }

    /** Every ten minutes from 08:10 on. */
    private static JobSpecificationBuilder tenMinutes(String key) {
        return job(key).schedulingSpecification("0 0/10 * * * ?");
    }

    @Test
    @DisplayName("S4: a monthly job with SKIP whose node was away from the 9th to the 19th does not run on the 19th")
    void monthly() {
        Machine user = user();
        user.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 0 10 * ?")
                        .missedFirePolicy(MissedFirePolicy.SKIP)
                        .build());
        kill(user);
        passMinutes(17 * 24 * 60);
        world.node("b");
        passMinutes(1);
        assertThat(fires("j")).isEmpty();
        assertThat(rows("j"))
                .filteredOn(row -> row.outcome() == Outcome.MISSED)
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.missed().first()).isEqualTo(Instant.parse("2099-03-10T00:00:00Z"));
                    assertThat(row.missed().count()).isEqualTo(1);
                    assertThat(row.nextFireTime()).isEqualTo(Instant.parse("2099-04-10T00:00:00Z"));
                });
    }

    @Test
    @DisplayName(
            "S4: a daily job with SKIP and a grace of a minute does not run yesterday's fire when a pause of all ends")
    void overnight() {
        Machine user = user();
        user.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 9 * * ?")
                        .missedFirePolicy(MissedFirePolicy.SKIP)
                        .missedFireGrace(Duration.ofMinutes(1))
                        .build());
        user.scheduler().pause(PauseScope.everything(), AUDIT);
        kill(user);
        passMinutes(24 * 60 + 49);
        Machine a = world.node("a");
        passMinutes(1);
        a.scheduler().resume(PauseScope.everything());
        passMinutes(5);
        assertThat(fires("j")).isEmpty();
        passMinutes(6);
        assertThat(fires("j")).as("today's").containsExactly(Instant.parse("2099-03-03T09:00:00Z"));
    }

    private static final Duration FIVE = Duration.ofMinutes(5);

    /** Schedules the jobs while nothing runs, and starts a node so many minutes later. */
    private Machine nodeAt(long minutes, JobSpecificationBuilder... jobs) {
        Machine user = user();
        for (JobSpecificationBuilder job : jobs) {
            user.scheduler().scheduleJob(job.build());
        }
        kill(user);
        passMinutes(minutes);
        Machine a = world.node("a");
        pass(10_000);
        return a;
    }

    @Test
    @DisplayName(
            "S4: with no node there, each policy runs what is within its deadline, and records the rest as too late")
    void policies() {
        Machine a = nodeAt(
                36,
                tenMinutes("latest").startDeadline(FIVE),
                tenMinutes("latest in time").startDeadline(Duration.ofMinutes(7)),
                tenMinutes("all").missedFirePolicy(MissedFirePolicy.RUN_ALL).startDeadline(Duration.ofMinutes(17)),
                tenMinutes("skip").missedFirePolicy(MissedFirePolicy.SKIP).startDeadline(Duration.ofMinutes(7)));
        assertThat(fires("latest")).isEmpty();
        assertThat(missed("latest")).isEqualTo(new MissedFires(at(10), at(30), 3, false, MissedFires.Reason.TOO_LATE));
        assertThat(fires("latest in time")).containsExactly(at(30));
        assertThat(fires("all")).containsExactly(at(20), at(30));
        assertThat(missed("all")).isEqualTo(new MissedFires(at(10), at(10), 1, false, MissedFires.Reason.TOO_LATE));
        assertThat(fires("skip")).containsExactly(at(30));
        assertThat(a.events())
                .filteredOn(SchedulerEvent.FiresMissed.class::isInstance)
                .hasSize(4)
                .anyMatch(event -> event.equals(new SchedulerEvent.FiresMissed("latest", missed("latest"))));
        passMinutes(5);
        assertThat(fires("latest")).as("the next one is on time").containsExactly(at(40));
    }

    @Test
    @DisplayName("S4: a one-off that is too late fails as EXPIRED and its failure command runs; one in time runs")
    void oneOffs() {
        nodeAt(
                10,
                job("late")
                        .singleSchedule(at(4))
                        .startDeadline(FIVE)
                        .failureCommand(new World.Note("sorry"))
                        .failureIdentifier("f"),
                job("in time").singleSchedule(at(6)).startDeadline(FIVE),
                job("without").singleSchedule(at(1)));
        assertRows("late", "SCHEDULED/NONE", "FAILED/EXPIRED", "FAILED/FAILURE_DELIVERED");
        assertThat(world.callsOf("late"))
                .as("the failure command, ten minutes after")
                .hasSize(1);
        assertThat(fires("in time")).containsExactly(at(6));
        assertThat(fires("without")).containsExactly(at(1));
        assertFinished("late");
    }

    @Test
    @DisplayName("S4: a one-off whose moment had passed when it was scheduled counts from there")
    void madeDueLater() {
        Machine user = user();
        pass(50_000);
        user.scheduler()
                .scheduleJob(job("j").singleSchedule(START)
                        .startDeadline(Duration.ofSeconds(20))
                        .build());
        kill(user);
        pass(10_000);
        world.node("a");
        pass(5_000);
        assertThat(fires("j")).containsExactly(START);
    }

    @Test
    @DisplayName("S4: a pause of the job and of its type counts, and explain says since when it is too late")
    void paused() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(tenMinutes("job").startDeadline(FIVE).build());
        a.scheduler().scheduleJob(tenMinutes("other").startDeadline(FIVE).build());
        a.scheduler().pause(PauseScope.job("job"), AUDIT);
        passMinutes(16);
        assertThat(fires("other")).containsExactly(at(10));
        assertThat(a.scheduler().explainJob("job").reasons())
                .filteredOn(reason -> reason.kind() == Explanation.Kind.TOO_LATE)
                .singleElement()
                .satisfies(reason -> assertThat(reason.since()).isEqualTo(at(15)));
        assertRows("job", "SCHEDULED/NONE", "SCHEDULED/PAUSED");
        a.scheduler().resume(PauseScope.job("job"));
        pass(5_000);
        assertThat(fires("job")).isEmpty();
        assertThat(missed("job").reason()).isEqualTo(MissedFires.Reason.TOO_LATE);
        assertThat(a.scheduler().explainJob("job").reasons())
                .noneMatch(reason -> reason.kind() == Explanation.Kind.TOO_LATE);
    }

    @Test
    @DisplayName("S4: the preview of a job that is paused until then shows the fires that will be too late")
    void previewed() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(tenMinutes("j").startDeadline(FIVE).build());
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", at(33)));
        assertThat(a.scheduler().previewFireTimes("j", START, 4))
                .extracting(FirePreview::fireTime)
                .containsExactly(null, null, at(30), at(40));
        assertThat(a.scheduler().previewFireTimes("j", START, 1).get(0).reason())
                .isEqualTo(FirePreview.Reason.TOO_LATE);
    }

    @Test
    @DisplayName("S4: waiting for a slot of the node, and for the group, counts")
    void busy() {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(2).build()));
        world.work = call -> call.job().startsWith("long") ? slow(Duration.ofMinutes(6)) : good();
        a.scheduler()
                .scheduleJob(
                        job("long 1").singleSchedule(at(9)).exclusiveGroup("g").build());
        a.scheduler()
                .scheduleJob(tenMinutes("grouped")
                        .exclusiveGroup("g")
                        .startDeadline(Duration.ofMinutes(4))
                        .build());
        a.scheduler()
                .scheduleJob(tenMinutes("patient")
                        .exclusiveGroup("g")
                        .startDeadline(Duration.ofMinutes(6))
                        .build());
        passMinutes(17);
        assertThat(fires("grouped")).isEmpty();
        assertThat(missed("grouped").first()).isEqualTo(at(10));
        assertThat(fires("patient")).containsExactly(at(10));
        a.scheduler().scheduleJob(job("long 2").singleSchedule(at(19)).build());
        a.scheduler().scheduleJob(job("long 3").singleSchedule(at(19)).build());
        a.scheduler()
                .scheduleJob(job("slotless")
                        .singleSchedule(at(20))
                        .startDeadline(Duration.ofMinutes(4))
                        .build());
        passMinutes(9);
        assertThat(newest("slotless").outcome()).isEqualTo(Outcome.EXPIRED);
        assertThat(fires("slotless")).isEmpty();
    }

    @Test
    @DisplayName("S4: a run that waits in the executor until it is too late is not started, and is on record")
    void executor() {
        List<Runnable> waiting = new ArrayList<>();
        boolean[] full = {true};
        Machine[] a = new Machine[1];
        a[0] = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(run -> {
                    if (full[0]) {
                        waiting.add(run);
                    } else {
                        a[0].lanes().execute(run);
                    }
                }));
        a[0].scheduler().scheduleJob(tenMinutes("late").startDeadline(FIVE).build());
        a[0].scheduler()
                .scheduleJob(tenMinutes("in time")
                        .startDeadline(Duration.ofMinutes(9))
                        .build());
        a[0].scheduler()
                .scheduleJob(job("one-off")
                        .singleSchedule(at(10))
                        .startDeadline(FIVE)
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        passMinutes(16);
        assertThat(waiting).hasSize(3);
        full[0] = false;
        waiting.forEach(a[0].lanes()::execute);
        pass(5_000);
        assertThat(fires("late")).isEmpty();
        assertThat(missed("late").reason()).isEqualTo(MissedFires.Reason.TOO_LATE);
        assertThat(fires("in time")).containsExactly(at(10));
        assertRows("one-off", "SCHEDULED/NONE", "FAILED/EXPIRED");
    }

    @Test
    @DisplayName("S4: retries, postponed fires, runs by hand and the run after an abandoned claim come however late")
    void exempt() {
        world.work = call -> call.node().equals("dying")
                ? endless()
                : call.attempt() == 1 && call.job().equals("retried") ? bad() : good();
        Machine dying = world.node("dying");
        dying.scheduler()
                .scheduleJob(job("abandoned")
                        .singleSchedule(at(1))
                        .startDeadline(Duration.ofSeconds(10))
                        .build());
        dying.scheduler()
                .scheduleJob(job("mark")
                        .singleSchedule(at(1))
                        .crashPolicy(CrashPolicy.FAIL)
                        .startDeadline(Duration.ofSeconds(10))
                        .build());
        pass(61_000);
        kill(dying);
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("retried")
                        .singleSchedule(at(2))
                        .retryPolicy("R1/PT20M")
                        .startDeadline(FIVE)
                        .build());
        a.scheduler().scheduleJob(tenMinutes("by hand").startDeadline(FIVE).build());
        a.scheduler().pause(PauseScope.job("by hand"), AUDIT);
        passMinutes(18);
        a.scheduler().resume(PauseScope.job("by hand"));
        a.scheduler().runNow("by hand");
        passMinutes(5);
        assertThat(fires("abandoned")).containsExactly(at(1), at(1));
        assertThat(newest("mark").outcome()).isEqualTo(Outcome.CRASHED);
        assertThat(fires("retried")).containsExactly(at(2), at(2));
        assertThat(rows("by hand")).extracting(JobExecutionStatus::outcome).contains(Outcome.MISSED, Outcome.SUCCEEDED);
        assertThat(world.callsOf("by hand"))
                .as("the run by hand, and the fire of 08:20")
                .hasSize(2);
    }

    @Test
    @DisplayName("S4: an abandoned claim of crashPolicy FAIL without a mark never began: its fire is judged")
    void neverBegan() {
        Machine dying = world.node(
                "dying",
                losingChanges(change -> change.after().sequences().startedSeq() > 0),
                Duration.ZERO,
                builder -> builder);
        dying.scheduler()
                .scheduleJob(job("j").singleSchedule(at(1))
                        .crashPolicy(CrashPolicy.FAIL)
                        .startDeadline(Duration.ofSeconds(10))
                        .build());
        pass(61_000);
        kill(dying);
        world.node("b");
        passMinutes(2);
        assertThat(world.calls).isEmpty();
        assertThat(newest("j").outcome()).isEqualTo(Outcome.EXPIRED);
    }
}
