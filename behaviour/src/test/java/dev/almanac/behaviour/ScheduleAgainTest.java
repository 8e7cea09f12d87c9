package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FieldChange;
import dev.almanac.model.FindScope;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExistsException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.Pause;
import dev.almanac.model.StaleJobException;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.store.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A key that is scheduled once more: while its job runs, after it was cancelled, and with equal contents. */
class ScheduleAgainTest extends LifecycleFixture {
    @Test
    @DisplayName("M4 M5: what is scheduled after the cancel of a running job fires; it is not lost with the old run")
    void afterACancelOfARunningJob() {
        Machine a = runningOneOff();
        assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.ALREADY_RUNNING);
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(600)).build());
        pass(100_000);
        assertThat(document("j").isLive()).isTrue();
        assertThat(document("j").plan().nextFireTime()).isEqualTo(START.plusSeconds(600));
        pass(600_000);
        assertThat(world.callsOf("j"))
                .extracting(World.Call::fire)
                .containsExactly(START.plusSeconds(1), START.plusSeconds(600));
    }

    @Test
    @DisplayName("M4: a cancel of a running job ends it with its run, unless it is revoked")
    void cancelStands() {
        Machine a = runningOneOff();
        a.scheduler().cancelJob("j");
        assertThat(a.scheduler()
                        .updateJob(
                                job("j").singleSchedule(START.plusSeconds(600)).build())
                        .specification()
                        .version())
                .isEqualTo(3);
        pass(700_000);
        assertThat(world.callsOf("j")).hasSize(1);
        assertFinished("j");
    }

    @Test
    @DisplayName("M4 M5: KEEP and a reconcile take a job that is to end with its run for one that is gone")
    void keptAndReconciled() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(30));
        JobSpecification every = job("j").schedulingSpecification("0 * * * * ?").build();
        a.scheduler().reconcile("app", List.of(every), false);
        pass(61_000);
        a.scheduler().cancelJob("j");
        assertThat(a.scheduler().reconcile("app", List.of(every), false).updated())
                .containsExactly("j");
        pass(60_000);
        assertThat(world.callsOf("j")).hasSize(2);
        a.scheduler().cancelJob("j");
        a.scheduler().scheduleJob(every.toBuilder().applicationTag("app").build(), IfExists.KEEP);
        pass(60_000);
        assertThat(world.callsOf("j")).hasSize(3);
    }

    @Test
    @DisplayName("M4: an interrupt is for the run in progress, and not for those of the job that is scheduled after it")
    void interruptIsNotKept() {
        Machine a = world.node("a");
        CompletableFuture<Void> first = new CompletableFuture<>();
        world.work = call -> world.calls.size() == 1 ? first : slow(Duration.ofSeconds(30));
        JobSpecification every = job("j").schedulingSpecification("0 * * * * ?").build();
        a.scheduler().scheduleJob(every);
        pass(61_000);
        a.scheduler().cancelJob("j", CancelMode.INTERRUPT);
        a.scheduler().scheduleJob(every);
        pass(20_000);
        assertThat(first).isCancelled();
        pass(80_000);
        assertThat(world.callsOf("j"))
                .extracting(World.Call::fire)
                .as("the run that was interrupted for a cancel that is taken back runs again, as after a shutdown")
                .containsExactly(START.plusSeconds(60), START.plusSeconds(60), START.plusSeconds(120));
        assertThat(newest("j").outcome()).hasToString("SUCCEEDED");
        assertThat(document("j").requests().interruptRequested()).isFalse();
    }

    @Test
    @DisplayName("M3: an equal one-off whose moment has come is a no-op while its job lives, in bulk too")
    void equalOneOffThatRuns() {
        Machine a = runningOneOff();
        JobSpecification same = job("j").singleSchedule(START.plusSeconds(1)).build();
        assertThat(a.scheduler().scheduleJob(same).specification().version()).isEqualTo(1);
        assertThat(a.scheduler()
                        .scheduleJob(same, IfExists.KEEP)
                        .specification()
                        .version())
                .isEqualTo(1);
        assertThat(a.scheduler().scheduleJobs(List.of(same)).get(0).error()).isNull();
        assertThatThrownBy(() -> a.scheduler().scheduleJob(same, IfExists.FAIL)).isInstanceOf(JobExistsException.class);
        assertRows("j", "SCHEDULED/NONE");
    }

    @Test
    @DisplayName(
            "M3: a job that is to run now, asked for once more while it runs, runs once; with other contents it runs again")
    void sameNow() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(30));
        JobSpecification now = job("j").now().build();
        a.scheduler().scheduleJob(now);
        pass(2_000);
        assertThat(world.callsOf("j")).hasSize(1);
        a.scheduler().scheduleJob(now);
        assertThat(a.scheduler().scheduleJobs(List.of(now)).get(0).error()).isNull();
        pass(60_000);
        assertThat(world.callsOf("j"))
                .as("a repeated request is the same request")
                .hasSize(1);
        assertFinished("j");
        a.scheduler().scheduleJob(now);
        pass(2_000);
        a.scheduler()
                .scheduleJob(
                        now.toBuilder().triggerCommand(new World.Note("other")).build());
        pass(60_000);
        assertThat(world.callsOf("j")).as("other contents are another request").hasSize(3);
        a.scheduler().scheduleJob(now);
        pass(2_000);
        a.scheduler().cancelJob("j");
        a.scheduler().scheduleJob(now);
        pass(60_000);
        assertThat(world.callsOf("j"))
                .as("a request after a cancel is another one")
                .hasSize(5);
    }

    @Test
    @DisplayName("M3: a request for now that comes while the failure command is delivered runs after it")
    void nowAfterTheFailure() {
        Machine a = world.node("a");
        world.work = call -> world.callsOf("j").size() == 1 ? bad() : slow(Duration.ofSeconds(30));
        JobSpecification now = job("j").now()
                .failureCommand(new World.Note("sorry"))
                .failureIdentifier("j")
                .build();
        a.scheduler().scheduleJob(now);
        pass(2_000);
        assertThat(document("j").phase()).isEqualTo(Phase.FAILURE);
        assertThat(a.scheduler().changes(now)).isNotEmpty();
        a.scheduler().scheduleJob(now);
        pass(120_000);
        assertThat(world.callsOf("j"))
                .as("the run that fails, its failure command, the second run")
                .hasSize(3);
    }

    @Test
    @DisplayName("M3: a request for now that finds a retry waiting brings the run forward, once")
    void nowBeforeTheRetry() {
        Machine a = world.node("a");
        world.work = call -> world.callsOf("j").size() == 1 ? bad() : slow(Duration.ofSeconds(30));
        JobSpecification now = job("j").now()
                .retryPolicy(RetryPolicy.fixed(1, Duration.ofHours(1)))
                .build();
        a.scheduler().scheduleJob(now);
        pass(2_000);
        assertThat(document("j").plan().isBegun()).isTrue();
        a.scheduler().scheduleJob(now);
        pass(10_000);
        assertThat(world.callsOf("j")).hasSize(2);
        a.scheduler().scheduleJob(now);
        pass(7_200_000);
        assertThat(world.callsOf("j")).hasSize(2);
        assertFinished("j");
    }

    @Test
    @DisplayName("M3: how a job would change is what a request would change")
    void changes() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(30));
        JobSpecification now = job("j").now().build();
        assertThat(a.scheduler().changes(now)).as("none is live").isEmpty();
        a.scheduler().scheduleJob(now);
        pass(2_000);
        assertThat(a.scheduler().changes(now)).as("it runs already").isEmpty();
        assertThat(a.scheduler().changes(now.toBuilder().priority(2).build()))
                .extracting(FieldChange::field)
                .contains("priority");
    }

    @Test
    @DisplayName("M3: no request lowers maxFires to what has fired: the job would fire once more")
    void maxFiresReached() {
        Machine a = world.node("a");
        JobSpecification each =
                job("j").schedulingSpecification("0 * * * * ?").maxFires(9).build();
        a.scheduler().scheduleJob(each);
        pass(150_000);
        assertThat(world.callsOf("j")).hasSize(2);
        assertThatThrownBy(
                        () -> a.scheduler().changes(each.toBuilder().maxFires(2).build()))
                .isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() ->
                        a.scheduler().scheduleJob(each.toBuilder().maxFires(2).build()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("2 fires have ended");
        a.scheduler().scheduleJob(each.toBuilder().maxFires(3).build());
        pass(300_000);
        assertThat(world.callsOf("j")).hasSize(3);
    }

    @Test
    @DisplayName("M2: another moment in the past is refused for a live job, and the same one for a finished job")
    void pastOneOff() {
        Machine a = runningOneOff();
        JobSpecification other =
                job("j").singleSchedule(START.minusSeconds(100)).build();
        assertThatThrownBy(() -> a.scheduler().scheduleJob(other)).isInstanceOf(InvalidJobException.class);
        pass(60_000);
        assertFinished("j");
        JobSpecification same = job("j").singleSchedule(START.plusSeconds(1)).build();
        assertThatThrownBy(() -> a.scheduler().scheduleJob(same)).isInstanceOf(InvalidJobException.class);
    }

    @Test
    @DisplayName("M3: bounds finer than a millisecond do not make equal contents another version")
    void fineBounds() {
        Machine a = world.node("a");
        JobSpecification fine = job("j").schedulingSpecification("0 0 * * * ?")
                .startAt(START.plusNanos(123_456_789))
                .endAt(START.plusSeconds(100_000).plusNanos(123_456_789))
                .build();
        a.scheduler().scheduleJob(fine);
        assertThat(a.scheduler().scheduleJob(fine).specification().version()).isEqualTo(1);
        assertRows("j", "SCHEDULED/NONE");
    }

    @Test
    @DisplayName("M3: a bound a nanosecond after a fire excludes it, and one a nanosecond after another includes it")
    void bounds() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0/10 * * * ?")
                        .startAt(START.plusSeconds(600).plusNanos(1))
                        .endAt(START.plusSeconds(1_200).plusNanos(1))
                        .build());
        pass(4 * 600_000);
        assertThat(world.callsOf("j")).extracting(World.Call::fire).containsExactly(START.plusSeconds(1_200));
    }

    @Test
    @DisplayName("M5 M7: a job's first row is later than the last row of the job before it, within one millisecond too")
    void orderOfHistory() {
        Machine a = world.node("a");
        for (int i = 0; i < 2; i++) {
            a.scheduler()
                    .scheduleJob(job("j").singleSchedule(START.plusSeconds(9)).build());
            assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        }
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(9)).build());
        assertThat(a.scheduler().history("j"))
                .extracting(JobExecutionStatus::executionStatus)
                .extracting(Enum::name)
                .containsExactly("SCHEDULED", "CANCELED", "SCHEDULED", "CANCELED", "SCHEDULED");
        assertThat(a.scheduler().history("j").get(0).jobSpecificationId())
                .isEqualTo(document("j").id());
    }

    @Test
    @DisplayName("M5 M8: of several finished jobs of a key the one that ended last is found")
    void newestFinished() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START).build());
        pass(0);
        assertFinished("j");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(9)).build());
        a.scheduler().cancelJob("j");
        assertThat(a.scheduler()
                        .findJobById("j", FindScope.INCLUDING_FINISHED)
                        .orElseThrow()
                        .lastStatus()
                        .id())
                .isEqualTo(a.scheduler().history("j").get(0).id());
        assertThat(newest("j").executionStatus()).hasToString("CANCELED");
    }

    @Test
    @DisplayName("3: a null key is refused, and finds no finished job")
    void nullKey() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START).build());
        pass(10);
        assertFinished("j");
        assertThatThrownBy(() -> a.scheduler().findJobById(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> a.scheduler().cancelJob(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> a.scheduler().history(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> new Pause(null, "ops", null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> new Pause("why", "ops", Instant.MAX)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("listJobs: the size of a page changes nothing about which jobs are asked for")
    void sizeOfAPage() {
        JobQuery full = new JobQuery(
                "r",
                "t",
                "app",
                JobState.FAILED,
                "k",
                "note",
                "cal",
                "group",
                START,
                START.plusSeconds(1),
                "after",
                7,
                99);
        assertThat(full.limit(8).limit(7)).isEqualTo(full);
        assertThat(full.after("x").after("after")).isEqualTo(full);
        assertThat(full.limit(8).limit()).isEqualTo(8);
    }

    /** A one-off {@code j} that has just started on node a, for half a minute. */
    private Machine runningOneOff() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(30));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        assertThat(world.callsOf("j")).hasSize(1);
        return a;
    }

    @Test
    @DisplayName("S14: what was compared with a live job is stored in its place only, and revokes its cancel")
    void inThePlaceOfOne() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(30));
        JobSpecification every = job("j").schedulingSpecification("0 * * * * ?").build();
        JobSpecification urgent = every.toBuilder().priority(1).build();
        Job shown = a.scheduler().scheduleJob(every, (Job) null);
        assertThatThrownBy(() -> a.scheduler().scheduleJob(urgent, (Job) null)).isInstanceOf(JobExistsException.class);
        pass(61_000);
        a.scheduler().cancelJob("j");
        assertThatThrownBy(() -> a.scheduler().scheduleJob(every, shown))
                .as("the cancel came later")
                .isInstanceOf(StaleJobException.class);
        Job again =
                a.scheduler().scheduleJob(every, a.scheduler().findJobById("j").orElseThrow());
        pass(60_000);
        assertThat(world.callsOf("j")).as("the cancel is revoked").hasSize(2);
        pass(31_000);
        a.scheduler().updateJob(urgent);
        assertThatThrownBy(() -> a.scheduler().scheduleJob(every, again)).isInstanceOf(StaleJobException.class);
        assertThat(document("j").specification().priority()).isEqualTo(1);
        a.scheduler().cancelJob("j");
        assertFinished("j");
        assertThatThrownBy(() -> a.scheduler().scheduleJob(every, again)).isInstanceOf(JobNotFoundException.class);
        assertFinished("j");
        a.scheduler().scheduleJob(every);
        assertThatThrownBy(() -> a.scheduler().scheduleJob(urgent, again)).isInstanceOf(JobNotFoundException.class);
    }
}
