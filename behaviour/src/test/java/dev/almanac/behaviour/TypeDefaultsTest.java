package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.helper.TypeDefaults;
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
}
