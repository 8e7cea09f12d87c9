package dev.almanac.engine.kernel;

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
    private static final Set<String> TYPES = Set.of("work");
    private static final long SECOND = 1_000_000_000L;

    private final LookPlan plan = new LookPlan(Duration.ofSeconds(1), BATCH, 0);

    LookPlanTest() {
        plan.prefer(Set.of(1), Set.of(1, 2));
    }

    @Test
    @DisplayName("P1: a regular look serves this claim and the next, and sees besides what is being claimed")
    void aRegularLookIsSmall() {
        LookPlan.Look look = plan.next(0, TYPES, false, 3).orElseThrow();
        assertThat(look.limit()).isEqualTo(2 * BATCH + 3);
        assertThat(look.partitions()).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    @DisplayName(
            "P1: while more is due than a look shows, a look serves many claims, at the preferred partitions first")
    void aLookAtABacklogIsLarge() {
        LookPlan.Look first = plan.next(0, TYPES, false, 0).orElseThrow();
        plan.found(first, jobs(first.limit()));

        plan.taken();
        LookPlan.Look look = plan.next(1, TYPES, true, 3).orElseThrow();
        assertThat(look.limit()).isEqualTo(8 * BATCH + 3);
        assertThat(look.partitions()).containsExactly(1);
    }

    @Test
    @DisplayName("P1: without a backlog nobody looks again before the interval is over, however much room there is")
    void noBacklogNoFurtherLook() {
        LookPlan.Look first = plan.next(0, TYPES, false, 0).orElseThrow();
        plan.found(first, jobs(first.limit() - 1));

        assertThat(plan.next(1, TYPES, true, 0)).isEmpty();
        assertThat(plan.next(SECOND, TYPES, true, 0)).map(LookPlan.Look::limit).contains(2 * BATCH);
    }

    @Test
    @DisplayName("X7: while no type is open the next look is never due, and then as it was")
    void nothingToLookFor() {
        assertThat(plan.untilNext(0, TYPES)).isZero();
        assertThat(plan.next(0, Set.of(), true, 0)).isEmpty();
        assertThat(plan.untilNext(0, Set.of())).isEqualTo(Long.MAX_VALUE);
        assertThat(plan.untilNext(SECOND, TYPES)).isZero();
        assertThat(plan.next(SECOND, TYPES, false, 0)).isPresent();
        assertThat(plan.untilNext(SECOND, TYPES)).isEqualTo(SECOND);
    }

    @Test
    @DisplayName("X7: what showed nothing that can be taken is not looked at again at once; another look may be made")
    void nothingToTake() {
        LookPlan.Look first = plan.next(0, TYPES, false, 0).orElseThrow();
        plan.found(first, jobs(first.limit()));
        LookPlan.Look preferred = plan.next(1, TYPES, true, 0).orElseThrow();
        plan.found(preferred, jobs(preferred.limit()));
        assertThat(plan.next(2, TYPES, true, 0)).isEmpty();
        plan.taken();
        assertThat(plan.next(3, TYPES, true, 0)).isPresent();
    }

    @Test
    @DisplayName("R9: jobs of other partitions wait for a look at the preferred ones, not for one that shows nothing")
    void awaitsPreferred() {
        LookPlan.Look first = plan.next(0, TYPES, false, 0).orElseThrow();
        assertThat(plan.awaitsPreferred(TYPES)).isFalse();
        plan.found(first, jobs(first.limit()));
        assertThat(plan.awaitsPreferred(TYPES)).isTrue();
        assertThat(plan.awaitsPreferred(Set.of("other"))).isFalse();
        LookPlan.Look preferred = plan.next(1, TYPES, true, 0).orElseThrow();
        assertThat(plan.awaitsPreferred(TYPES)).isTrue();
        plan.found(preferred, jobs(preferred.limit()));
        assertThat(plan.awaitsPreferred(TYPES)).isFalse();
        plan.taken();
        assertThat(plan.awaitsPreferred(TYPES)).isTrue();
        plan.found(plan.next(2, TYPES, true, 0).orElseThrow(), jobs(1));
        assertThat(plan.awaitsPreferred(TYPES)).isFalse();
    }

    @Test
    @DisplayName("X7: types that there is no room for are not asked for; those that they hid are looked for at once")
    void typesWithoutRoom() {
        Set<String> both = Set.of("work", "other");
        LookPlan.Look first = plan.next(0, both, false, 0).orElseThrow();
        assertThat(first.types()).isEqualTo(both);
        plan.found(first, jobs(first.limit()));
        assertThat(plan.next(1, Set.of("other"), true, 0))
                .map(LookPlan.Look::types)
                .contains(Set.of("other"));
        assertThat(plan.next(1, Set.of(), true, 0)).isEmpty();
    }

    @Test
    @DisplayName("6.3: after a hint the preferred partitions are looked at once, if there is room; the interval stays")
    void hinted() {
        plan.found(plan.next(0, TYPES, true, 0).orElseThrow(), List.of());
        assertThat(plan.hinted(TYPES)).as("there are other partitions").isTrue();
        assertThat(plan.next(1, Set.of("other"), true, 0))
                .as("no room for them")
                .isEmpty();
        LookPlan.Look look = plan.next(1, TYPES, false, 0).orElseThrow();
        assertThat(look.partitions()).containsExactly(1);
        assertThat(look.limit()).isEqualTo(2 * BATCH);
        plan.found(look, List.of());
        assertThat(plan.next(2, TYPES, true, 0)).as("one look for a hint").isEmpty();
        assertThat(plan.untilNext(SECOND / 2, TYPES)).isEqualTo(SECOND / 2);
    }

    @Test
    @DisplayName("6.3: a hint that comes while a look is under way leads to another look, which begins after it")
    void hintedMeanwhile() {
        LookPlan.Look first = plan.next(0, TYPES, true, 0).orElseThrow();
        plan.hinted(TYPES);
        plan.found(first, List.of());
        LookPlan.Look second = plan.next(1, TYPES, true, 0).orElseThrow();
        plan.hinted(TYPES);
        plan.found(second, List.of());
        LookPlan.Look regular = plan.next(SECOND, TYPES, true, 0).orElseThrow();
        assertThat(regular.regular()).isTrue();
        plan.found(regular, List.of());
        assertThat(plan.next(SECOND + 1, TYPES, true, 0))
                .as("that one has seen it")
                .isEmpty();
    }

    @Test
    @DisplayName("6.3: a hint whose look got no answer leads to another look")
    void hintedInVain() {
        plan.found(plan.next(0, TYPES, true, 0).orElseThrow(), List.of());
        plan.hinted(TYPES);
        assertThat(plan.next(1, TYPES, true, 0)).isPresent();
        LookPlan.Look again = plan.next(2, TYPES, true, 0).orElseThrow();
        plan.found(again, List.of());
        assertThat(plan.next(3, TYPES, true, 0)).isEmpty();
    }

    @Test
    @DisplayName("6.3: a node that prefers all partitions, or none, leaves nothing to a look by a hint, or all")
    void hintedAtTheEdges() {
        plan.found(plan.next(0, TYPES, true, 0).orElseThrow(), List.of());
        plan.prefer(Set.of(), Set.of(1, 2));
        assertThat(plan.hinted(TYPES)).isTrue();
        assertThat(plan.next(1, TYPES, true, 0)).isEmpty();
        plan.prefer(Set.of(1, 2), Set.of(1, 2));
        assertThat(plan.hinted(TYPES)).isFalse();
        assertThat(plan.next(2, TYPES, true, 0)).isPresent();
    }

    private static List<DueJob> jobs(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new DueJob("id-" + i, Instant.EPOCH, 4, 1, "work", null))
                .toList();
    }
}
