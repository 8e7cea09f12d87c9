package dev.almanac.engine.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionsTest {
    private static final int COUNT = 16;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 16, 40})
    @DisplayName("P1: nodes that know the same nodes prefer each partition once, and none more than its share")
    void shares(int nodes) {
        List<String> live = IntStream.range(0, nodes)
                .mapToObj(i -> "66f3a1b2c3d4e5f6a7b8" + (1_000 + 37 * i))
                .toList();
        Set<Integer> all = new TreeSet<>();
        int sum = 0;
        for (String node : live) {
            Set<Integer> preferred = Partitions.preferred(node, live, COUNT);
            assertThat(preferred).hasSizeLessThanOrEqualTo((COUNT + nodes - 1) / nodes);
            sum += preferred.size();
            all.addAll(preferred);
        }
        assertThat(all).hasSize(COUNT);
        assertThat(sum).isEqualTo(COUNT);
    }
}
