package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.retry.RetryPolicy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Priority and retries that belong to a command type (rules R5, R9). */
class TypeDefaultsTest extends LifecycleFixture {
    private static final RetryPolicy ONCE = RetryPolicy.fixed(1, Duration.ofSeconds(3));

    private Machine node(TypeDefaults defaults) {
        return world.node("a", world.store, Duration.ZERO, builder -> builder.typeDefaults("note", defaults));
    }

    private static JobSpecification stored(Machine node, JobSpecification job) {
        return node.scheduler().scheduleJob(job).specification();
    }

    @Test
    @DisplayName("R5: a job without retries has those of its type; one that says its own keeps them")
    void retries() {
        Machine node = node(new TypeDefaults(2, ONCE));
        JobSpecification plain =
                job("plain").singleSchedule(START.plusSeconds(1)).build();
        assertThat(stored(node, plain).retryPolicy()).isEqualTo(ONCE);
        assertThat(stored(node, plain).priority()).isEqualTo(2);
        assertThat(stored(node, plain).version())
                .as("equal contents change nothing")
                .isEqualTo(1);
        RetryPolicy own = RetryPolicy.fixed(2, Duration.ofSeconds(5));
        JobSpecification says = job("says")
                .singleSchedule(START.plusSeconds(60))
                .priority(6)
                .retryPolicy(own)
                .build();
        assertThat(stored(node, says).retryPolicy()).isEqualTo(own);
        assertThat(stored(node, says).priority()).isEqualTo(6);
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("fails"));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.callsOf("plain")).hasSize(2);
    }

    @Test
    @DisplayName("R9: a type without defaults leaves jobs as they are; a priority is within 0 to 7")
    void none() {
        Machine node = node(TypeDefaults.NONE);
        JobSpecification plain =
                stored(node, job("plain").singleSchedule(START.plusSeconds(1)).build());
        assertThat(plain.retryPolicy()).isEqualTo(RetryPolicy.none());
        assertThat(plain.priority()).isEqualTo(4);
        assertThatThrownBy(() -> new TypeDefaults(8, null)).hasMessageContaining("0 to 7");
    }

    @Test
    @DisplayName("19.9: a priority or a retry policy that is set holds, also if it equals the general default")
    void set() {
        Machine node = node(new TypeDefaults(2, ONCE));
        JobSpecification says = stored(
                node,
                job("says")
                        .singleSchedule(START.plusSeconds(60))
                        .priority(4)
                        .retryPolicy(RetryPolicy.none())
                        .build());
        assertThat(says.priority()).isEqualTo(4);
        assertThat(says.retryPolicy()).isEqualTo(RetryPolicy.none());
        JobSpecification plain =
                stored(node, job("plain").singleSchedule(START.plusSeconds(60)).build());
        JobAction back = JobAction.update(
                edit -> edit.priority(4).retryPolicy(RetryPolicy.none()).tags("x"));
        node.scheduler().apply(back, JobSelection.keys("plain"));
        JobSpecification now =
                node.scheduler().findJobById("plain").orElseThrow().specification();
        assertThat(now.priority()).isEqualTo(4);
        assertThat(now.retryPolicy()).isEqualTo(RetryPolicy.none());
        node.scheduler().apply(JobAction.update(edit -> edit.tags("y")), JobSelection.keys("plain"));
        assertThat(node.scheduler().findJobById("plain").orElseThrow().specification())
                .as("an update of something else")
                .satisfies(job -> assertThat(job.priority()).isEqualTo(4))
                .satisfies(job -> assertThat(job.retryPolicy()).isEqualTo(RetryPolicy.none()));
        assertThat(stored(
                                node,
                                plain.toBuilder()
                                        .retryPolicy((RetryPolicy) null)
                                        .build())
                        .retryPolicy())
                .as("no longer set")
                .isEqualTo(ONCE);
    }

    @Test
    @DisplayName("19.9: jobs that were stored by a node without defaults stay as they are when they are updated")
    void storedBefore() {
        Machine before = world.node("b");
        stored(before, job("old").singleSchedule(START.plusSeconds(60)).build());
        Machine node = node(new TypeDefaults(2, ONCE));
        node.scheduler().apply(JobAction.update(edit -> edit.tags("y")), JobSelection.keys("old"));
        assertThat(node.scheduler().findJobById("old").orElseThrow().specification())
                .satisfies(job -> assertThat(job.tags()).containsExactly("y"))
                .satisfies(job -> assertThat(job.priority()).isEqualTo(4))
                .satisfies(job -> assertThat(job.retryPolicy()).isEqualTo(RetryPolicy.none()));
    }
}
