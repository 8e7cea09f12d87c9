package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    /** Most seeds run on the oldest Java, for some minutes; some on the newest. */
    private static final int SEEDS = Runtime.version().feature() < 25 ? 5_000 : 1_000;

    private static final int SEEDS_FOR_A_MUTANT = 3_000;

    @Test
    @DisplayName(
            "P1 to P7: under slow, lost, late, repeated and torn messages, crashes and changes, every promise holds")
    void holds() {
        assertThat(seeds(SEEDS).mapToObj(SimulationTest::broken).filter(story -> !story.isEmpty()))
                .isEmpty();
    }

    /** Simulations share nothing, so they run on all processors; a seed gives the same one wherever it runs. */
    private static LongStream seeds(int most) {
        return LongStream.rangeClosed(1, most).parallel();
    }

    /** What a seed has broken; empty if nothing. */
    private static String broken(long seed) {
        List<String> complaints = Simulation.run(seed, null);
        return complaints.isEmpty() ? "" : "seed " + seed + ": " + complaints;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("P1 to P7: a protocol that leaves out one guard breaks a promise")
    void mutantIsCaught(Mutants mutant) {
        Queue<String> crashes = new ConcurrentLinkedQueue<>();
        boolean caught = isCaught(mutant, mutant.seed(), crashes)
                || seeds(SEEDS_FOR_A_MUTANT).anyMatch(seed -> isCaught(mutant, seed, crashes));
        assertThat(caught).as("%s is noticed; %s", mutant, crashes).isTrue();
    }

    private static boolean isCaught(Mutants mutant, long seed, Queue<String> crashes) {
        try {
            return !Simulation.run(seed, mutant).isEmpty();
        } catch (RuntimeException broken) {
            // that a mutant breaks the engine is not yet a promise that was seen broken
            crashes.add("seed " + seed + ": " + broken);
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("the same seed gives the same trace")
    void repeatable(long seed) {
        Mutants loud = Mutants.RENEWAL_WITHOUT_TOKEN;
        for (long next = seed * 100; next < seed * 100 + 10; next++) {
            assertThat(Simulation.story(next, loud)).isEqualTo(Simulation.story(next, loud));
        }
    }
}
