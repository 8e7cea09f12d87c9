package dev.almanac.engine.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.store.DueJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LookPlanTest {
    private static final int BATCH = 5;
    private static final long SECOND = 1_000_000_000L;

    private final LookPlan plan = new LookPlan(Duration.ofSeconds(1), BATCH, 0);

    LookPlanTest() {
        plan.prefer(Set.of(1), Set.of(1, 2));
    }

    @Test
    @DisplayName("P1: a regular look serves this claim and the next, and sees besides what is being claimed")
    void aRegularLookIsSmall() {
        LookPlan.Look look = plan.next(0, false, 3).orElseThrow();
        assertThat(look.limit()).isEqualTo(2 * BATCH + 3);
        assertThat(look.partitions()).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    @DisplayName(
            "P1: while more is due than a look shows, a look serves many claims, at the preferred partitions first")
    void aLookAtABacklogIsLarge() {
        LookPlan.Look first = plan.next(0, false, 0).orElseThrow();
        plan.found(first, jobs(first.limit()));

        LookPlan.Look look = plan.next(1, true, 3).orElseThrow();
        assertThat(look.limit()).isEqualTo(8 * BATCH + 3);
        assertThat(look.partitions()).containsExactly(1);
    }

    @Test
    @DisplayName("P1: without a backlog nobody looks again before the interval is over, however much room there is")
    void noBacklogNoFurtherLook() {
        LookPlan.Look first = plan.next(0, false, 0).orElseThrow();
        plan.found(first, jobs(first.limit() - 1));

        assertThat(plan.next(1, true, 0)).isEmpty();
        assertThat(plan.next(SECOND, true, 0)).map(LookPlan.Look::limit).contains(2 * BATCH);
    }

    private static List<DueJob> jobs(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new DueJob("id-" + i, Instant.EPOCH, 4, 1, "work", null))
                .toList();
    }
}
