package dev.almanac.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.store.DueJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClaimOrderTest {
    private static final Instant NOW = Instant.parse("2099-03-02T08:00:00Z");

    private static DueJob job(int number, int partition, long millisLate) {
        return new DueJob("j" + number, NOW.minusMillis(millisLate), 4, partition, "note", null);
    }

    private static List<DueJob> order(List<DueJob> own, List<DueJob> others, int seed) {
        return ClaimOrder.of(new ArrayList<>(own), new ArrayList<>(others), false, NOW, new SplittableRandom(seed));
    }

    @Test
    @DisplayName("R9: the node that prefers a partition and one that takes its late jobs begin at different ends")
    void fromTheOtherEnd() {
        List<DueJob> jobs =
                IntStream.range(0, 100).mapToObj(i -> job(i, 7, 5_000 - i)).toList();
        Set<DueJob> owners = new HashSet<>(order(jobs, List.of(), 1).subList(0, 50));
        assertThat(order(List.of(), jobs, 2).subList(0, 50)).doesNotContainAnyElementsOf(owners);
    }

    @Test
    @DisplayName("R9: other nodes' partitions come one after the other, not in the same order on each node")
    void partitionByPartition() {
        List<DueJob> jobs =
                IntStream.range(0, 40).mapToObj(i -> job(i, i % 4, 5_000 - i)).toList();
        Set<Integer> first = new HashSet<>();
        for (int seed = 0; seed < 40; seed++) {
            List<Integer> partitions =
                    order(List.of(), jobs, seed).stream().map(DueJob::partition).toList();
            assertThat(Set.copyOf(partitions.subList(0, 10))).hasSize(1);
            first.add(partitions.get(0));
        }
        assertThat(first).hasSize(4);
    }

    @Test
    @DisplayName("X7: jobs that are very late are taken in random order, so that the oldest does not wait without end")
    void oldestIsNotLeftForLast() {
        List<DueJob> jobs =
                IntStream.range(0, 40).mapToObj(i -> job(i, 7, 60_000 - i)).toList();
        assertThat(IntStream.range(0, 400).mapToObj(seed -> order(List.of(), jobs, seed)))
                .anySatisfy(order -> assertThat(order.get(0)).isEqualTo(jobs.get(0)));
    }
}
