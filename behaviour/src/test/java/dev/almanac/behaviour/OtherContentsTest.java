package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.behaviour.World.Note;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule S17: a run now with contents of its own. */
class OtherContentsTest extends LifecycleFixture {
    private static void assertHasOther(EncodedCommand command) {
        assertThat(command).isNotNull();
        assertThat(command.type()).isEqualTo("note");
        // a store in memory keeps the command itself
        assertThat(command.body().values().toString()).contains("other");
    }

    private void recurring() {
        client().scheduleJob(job("j").every(Duration.ofHours(1))
                .startAt(START.plusSeconds(3_600))
                .exclusiveGroup("g")
                .build());
    }

    @Test
    @DisplayName("S17: contents as large as they may be leave a job readable that has others as large")
    void large() {
        Machine a = world.node("a");
        Note note = new Note("x".repeat((1 << 20) - 100));
        world.work = call -> bad();
        client().scheduleJob(job("j").schedulingSpecification("0 0 0 1 1 ?")
                .triggerCommand(note)
                .failureCommand(note)
                .build());
        client().runNow("j", note);
        assertThat(document("j").blocked()).isNull();
        pass(5_000);
        assertThat(world.calls).hasSize(1);
        assertThat(document("j").blocked()).isNull();
        assertThat(document("j").requests().runNow()).isNull();
        assertThat(a.scheduler().history("j")).isNotEmpty();
    }

    @Test
    @DisplayName("S17: this once with the other contents; its rows keep them; the plan and later fires have the job's")
    void once() {
        world.node("a");
        recurring();
        client().as("ann", "CR-7").runNow("j", new Note("other"));
        assertHasOther(newest("j").command());
        pass(2_000);
        assertThat(world.texts).containsExactly("other");
        assertThat(newest("j"))
                .satisfies(row -> assertThat(row.outcome()).isEqualTo(Outcome.SUCCEEDED))
                .satisfies(row -> assertThat(row.manual()).isTrue())
                .satisfies(row -> assertHasOther(row.command()));
        StoredJob job = document("j");
        assertThat(job.requests().extraRun()).isNull();
        assertThat(job.plan().nextFireTime()).isEqualTo(START.plusSeconds(3_600));
        pass(3_600_000);
        assertThat(world.texts).containsExactly("other", "j");
        assertThat(newest("j").command()).isNull();
    }

    @Test
    @DisplayName("S17: the run of a node that dies is run again with its contents")
    void abandoned() {
        Machine dead = world.node("dead");
        world.work = call -> call.node().equals("dead") ? endless() : good();
        recurring();
        client().runNow("j", new Note("other"));
        pass(2_000);
        assertThat(world.texts).containsExactly("other");
        kill(dead);
        world.node("b");
        pass(60_000);
        assertThat(world.texts).containsExactly("other", "other");
        assertThat(rows("j"))
                .filteredOn(JobExecutionStatus::manual)
                .hasSize(2)
                .allSatisfy(row -> assertHasOther(row.command()));
    }

    @Test
    @DisplayName(
            "S17: a run with contents of its own and another one do not stand for each other: the later is refused")
    void notTogether() {
        recurring();
        Scheduler client = client();
        client.runNow("j", new Note("other"));
        assertThatThrownBy(() -> client.runNow("j")).isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> client.runNow("j", new Note("third"))).isInstanceOf(InvalidJobException.class);
        assertHasOther(document("j").requests().extraRun().command());
        world.work = call -> slow(Duration.ofSeconds(30));
        world.node("a");
        pass(10_000);
        assertThatThrownBy(() -> client.runNow("j"))
                .as("it is in progress, and may have to be run again")
                .isInstanceOf(InvalidJobException.class);
        pass(30_000);
        client.runNow("j");
        assertThatThrownBy(() -> client.runNow("j", new Note("other"))).isInstanceOf(InvalidJobException.class);
        client.runNow("j");
        pass(40_000);
        assertThat(world.texts).containsExactly("other", "j");
    }

    @Test
    @DisplayName("S17: contents of another type are refused, and nothing is written")
    void otherType() {
        recurring();
        long before = document("j").revision().number();
        assertThatThrownBy(() -> client().runNow("j", new EncodedCommand("else", 1, Map.of())))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("'note'");
        assertThatThrownBy(() -> client().runNow("j", new Old()))
                .as("its class is not registered")
                .isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> client().runNow("j", new Note("x".repeat(2 << 20))))
                .isInstanceOf(InvalidJobException.class);
        assertThat(document("j").revision().number()).isEqualTo(before);
        assertThat(client().apply(
                                JobAction.runNow(new EncodedCommand("else", 1, Map.of())),
                                JobSelection.keys("j"),
                                false)
                        .items())
                .singleElement()
                .satisfies(item -> assertThat(item.detail()).contains("'note'"));
    }

    @Test
    @DisplayName("S17: the row of such a run that fails keeps the contents; the run is not retried")
    void failed() {
        world.node("a");
        recurring();
        world.work = call -> bad();
        client().runNow("j", new Note("other"));
        pass(2_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.ATTEMPT_FAILED);
        assertHasOther(newest("j").command());
        pass(60_000);
        assertThat(world.texts).containsExactly("other");
    }

    @Test
    @DisplayName("S17: contents that cannot be read fail that run, and leave the job as it is")
    void unreadable() {
        world.node("a");
        recurring();
        // as a command line, which has no types
        Scheduler outside = Scheduler.builder()
                .store(world.store)
                .time(world.time)
                .zone(ZoneOffset.UTC)
                .lanes(world.lanes.node())
                .build();
        outside.runNow("j", new EncodedCommand("note", 1, Map.of("text", Map.of("a", 1L))));
        pass(3_000);
        StoredJob job = document("j");
        assertThat(job.blocked()).isNull();
        assertThat(job.requests().extraRun()).isNull();
        assertThat(job.plan().nextFireTime()).isEqualTo(START.plusSeconds(3_600));
        assertThat(newest("j"))
                .satisfies(row -> assertThat(row.outcome()).isEqualTo(Outcome.ATTEMPT_FAILED))
                .satisfies(row -> assertThat(row.command()).isNotNull());
        pass(3_600_000);
        assertThat(world.texts).containsExactly("j");
    }

    @Test
    @DisplayName("S17: a job that gets another type loses the run with contents of the former one, and its row says so")
    void anotherType() {
        recurring();
        client().runNow("j", new Note("other"));
        client().updateJob(document("j").specification().toBuilder()
                .triggerCommand(new EncodedCommand("else", 1, Map.of()))
                .build());
        assertThat(document("j").requests().extraRun()).isNull();
        assertThat(newest("j").detail()).contains("is dropped: it has another type");
    }

    @Test
    @DisplayName("S17: a paused job runs with the other contents once it is resumed")
    void paused() {
        world.node("a");
        recurring();
        client().pause(PauseScope.job("j"), Pause.because("audit"));
        client().runNow("j", new Note("other"));
        pass(5_000);
        assertThat(world.texts).isEmpty();
        client().resume(PauseScope.job("j"));
        pass(2_000);
        assertThat(world.texts).containsExactly("other");
    }
}
