package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GroupSimulationTest {
    private static final int SEEDS_OF_EACH_CHANGE = 100;
    private static final int SEEDS = 400;
    private static final int SEEDS_FOR_A_MUTANT = 800;

    @Test
    @DisplayName(
            "P9 X8: under slow, lost and late messages, crashes, busy executors and edits a group has never more members"
                    + " than its size, never more claims than its rate, and all its jobs run")
    void holds() {
        assertHolds(1, SEEDS_OF_EACH_CHANGE);
    }

    @Test
    @Tag("long")
    @DisplayName("P9 X8: the same, of further seeds")
    void holdsLong() {
        assertHolds(SEEDS_OF_EACH_CHANGE + 1, SEEDS);
    }

    private static void assertHolds(long first, long last) {
        for (long seed = first; seed <= last; seed++) {
            assertThat(GroupSimulation.run(seed, null)).as("seed %d", seed).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(GroupMutants.class)
    @DisplayName(
            "P9: a store that takes a slot, or counts a claim, without its guard is caught, and a node that misses edits")
    void mutantIsCaught(GroupMutants mutant) {
        List<String> crashes = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS_FOR_A_MUTANT; seed++) {
            try {
                if (GroupSimulation.run(seed, mutant).stream().anyMatch(found -> found.contains(mutant.complaint()))) {
                    return;
                }
            } catch (RuntimeException broken) {
                crashes.add("seed " + seed + ": " + broken);
            }
        }
        throw new AssertionError("nobody noticed " + mutant + "; " + crashes);
    }
}
