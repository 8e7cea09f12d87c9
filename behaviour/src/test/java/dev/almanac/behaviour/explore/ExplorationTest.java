package dev.almanac.behaviour.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExplorationTest {
    @ParameterizedTest
    @EnumSource
    @DisplayName("P1 to P8: whatever goes wrong once, and wherever, every promise holds")
    void holds(Scenario scenario) {
        Exploration exploration = new Exploration(scenario, null);
        assertThat(exploration.violation(List.of())).isEmpty();
        assertThat(exploration.steps().parallelStream()
                        .map(step -> exploration.violation(List.of(step)))
                        .flatMap(Optional::stream))
                .isEmpty();
    }
}
