package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    /** Most on the oldest Java, where all of them take two minutes; some on the newest. */
    private static final int SEEDS = Runtime.version().feature() < 25 ? 5_000 : 1_000;

    private static final int SEEDS_FOR_A_MUTANT = 3_000;

    @Test
    @DisplayName(
            "P1 to P7: under slow, lost, late, repeated and torn messages, crashes and changes, every promise holds")
    void holds() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(Simulation.run(seed, null)).as("seed %d", seed).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Mutants.class)
    @DisplayName("P1 to P7: a protocol that leaves out one guard breaks a promise")
    void mutantIsCaught(Mutants mutant) {
        List<String> crashes = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS_FOR_A_MUTANT; seed++) {
            try {
                if (!Simulation.run(seed, mutant).isEmpty()) {
                    return;
                }
            } catch (RuntimeException broken) {
                // that a mutant breaks the engine is not yet a promise that was seen broken
                crashes.add("seed " + seed + ": " + broken);
            }
        }
        throw new AssertionError("nobody noticed " + mutant + "; " + crashes);
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
