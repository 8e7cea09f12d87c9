package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {
    private static final int SEEDS = 300;
    private static final int SEEDS_FOR_A_MUTANT = 600;

    @Test
    @DisplayName("P1 to P7: under lost, late and repeated messages, crashes, pauses and changes, every promise holds")
    void holds() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(Simulation.run(seed, null)).as("seed %d", seed).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Mutants.class)
    @DisplayName("a protocol that leaves out a guard is caught")
    void mutantIsCaught(Mutants mutant) {
        for (long seed = 1; seed <= SEEDS_FOR_A_MUTANT; seed++) {
            List<String> complaints = complaints(seed, mutant);
            if (!complaints.isEmpty()) {
                return;
            }
        }
        throw new AssertionError("nobody noticed " + mutant);
    }

    private static List<String> complaints(long seed, Mutants mutant) {
        try {
            return Simulation.run(seed, mutant);
        } catch (RuntimeException broken) {
            return List.of("the mutant broke the engine: " + broken);
        }
    }
}
