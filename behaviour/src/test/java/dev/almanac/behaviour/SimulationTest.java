package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    private static final int SEEDS_OF_EACH_CHANGE = 300;
    private static final int SEEDS = 3_000;

    private static final int SEEDS_FOR_A_MUTANT = 3_000;

    @Test
    @DisplayName(
            "P1 to P7: under slow, lost, late, repeated and torn messages, crashes and changes, every promise holds")
    void holds() {
        assertHolds(1, SEEDS_OF_EACH_CHANGE);
    }

    @Test
    @Tag("long")
    @DisplayName("P1 to P7: the same, of further seeds")
    void holdsLong() {
        assertHolds(SEEDS_OF_EACH_CHANGE + 1, SEEDS);
    }

    private static void assertHolds(int first, int last) {
        assertThat(seeds(first, last).mapToObj(SimulationTest::broken).filter(story -> !story.isEmpty()))
                .isEmpty();
    }

    /** Simulations share nothing, so they run on all processors; a seed gives the same one wherever it runs. */
    private static LongStream seeds(int first, int last) {
        return LongStream.rangeClosed(first, last).parallel();
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
                || seeds(1, SEEDS_FOR_A_MUTANT).anyMatch(seed -> isCaught(mutant, seed, crashes));
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
