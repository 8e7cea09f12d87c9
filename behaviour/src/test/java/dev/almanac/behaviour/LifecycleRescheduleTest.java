package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The edges L43 and L44 of contributing/lifecycle.md: a schedule that was changed while its job was running. */
class LifecycleRescheduleTest extends LifecycleFixture {
    private static final String EVERY_TEN_MINUTES = "0 0/10 * * * ?";

    @Test
    @DisplayName("L43 M3: a schedule changed during a run is planned from the change, not from the old fire")
    void recurring() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(200));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(700_000);
        a.scheduler()
                .updateJob(job("j").schedulingSpecification("0 11/5 * * * ?").build());
        pass(130_000);
        assertThat(newest("j").nextFireTime()).isEqualTo(START.plusSeconds(960));
        pass(160_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(600), START.plusSeconds(960));
    }

    @Test
    @DisplayName("L43 M3: a one-off that is moved while it runs fires again at its new moment")
    void oneOff() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(60));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(5_000);
        a.scheduler().updateJob(job("j").singleSchedule(START.plusSeconds(600)).build());
        pass(1_000_000);
        assertThat(world.calls).extracting(Call::started).containsExactly(START.plusSeconds(1), START.plusSeconds(600));
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "TRIGGERED/SUCCEEDED");
        assertThat(rows("j").get(2).updatedTime())
                .as("the end is decided again on the new document at once")
                .isBefore(START.plusSeconds(62));
    }

    @Test
    @DisplayName(
            "L43 R2: a fire that was claimed before the change is not run twice, although the new schedule holds it")
    void claimedBefore() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        pass(599_900);
        assertThat(document("j").lease()).isNotNull();
        a.scheduler()
                .updateJob(job("j").schedulingSpecification("0 0/5 * * * ?").build());
        pass(400_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(600), START.plusSeconds(900));
    }

    @Test
    @DisplayName("L44 M3, R5: an attempt that fails after a change of schedule is not retried; the new schedule holds")
    void failedAttempt() {
        Machine a = world.node("a");
        world.work = call -> call.fire().equals(START.plusSeconds(1))
                ? slow(Duration.ofSeconds(60)).thenCompose(nothing -> bad())
                : good();
        var spec = job("j").singleSchedule(START.plusSeconds(1)).retryPolicy("R5/PT1M");
        a.scheduler().scheduleJob(spec.build());
        pass(5_000);
        a.scheduler().updateJob(spec.singleSchedule(START.plusSeconds(600)).build());
        pass(1_000_000);
        assertThat(world.calls).extracting(Call::started).containsExactly(START.plusSeconds(1), START.plusSeconds(600));
        assertThat(world.calls).extracting(Call::attempt).containsExactly(1, 1);
        assertThat(rows("j").get(rows("j").size() - 2).nextFireTime()).isEqualTo(START.plusSeconds(600));
    }

    @Test
    @DisplayName("L44 R5: a change of other contents during a failing attempt leaves the retries")
    void otherContents() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(60)).thenCompose(nothing -> bad());
        var spec = job("j").singleSchedule(START.plusSeconds(1)).retryPolicy("R5/PT1H");
        a.scheduler().scheduleJob(spec.build());
        pass(5_000);
        a.scheduler().updateJob(spec.priority(1).build());
        pass(100_000);
        assertThat(newest("j").outcome()).hasToString("ATTEMPT_FAILED");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(61 + 3_600));
    }

    @Test
    @DisplayName("L43 M3: a schedule changed during a manual run moves the plan")
    void duringManualRun() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(60));
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(600)).build());
        a.scheduler().runNow("j");
        pass(5_000);
        a.scheduler().updateJob(job("j").singleSchedule(START.plusSeconds(900)).build());
        pass(1_000_000);
        assertThat(world.calls).hasSize(2);
        assertThat(world.calls.get(1).started()).isEqualTo(START.plusSeconds(900));
    }
}
