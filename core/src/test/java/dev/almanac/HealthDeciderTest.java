package dev.almanac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.engine.insight.NodeSnapshot;
import dev.almanac.engine.node.ContainedFailure;
import dev.almanac.engine.node.Stage;
import dev.almanac.model.OpenRun;
import dev.almanac.model.StuckRun;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HealthDeciderTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration WARNING = Duration.ofMillis(500);

    private static NodeSnapshot well() {
        return snapshot(
                Stage.STARTED, true, "", List.of(), Duration.ZERO, List.of(node("a", "2026a"), node("b", "2026a")));
    }

    private static NodeSnapshot snapshot(
            Stage stage,
            boolean rehydrated,
            String complaint,
            List<String> warnings,
            Duration offset,
            List<NodeReport> nodes) {
        return new NodeSnapshot(
                stage,
                rehydrated,
                complaint,
                warnings,
                offset,
                WARNING,
                List.of(),
                nodes,
                64,
                Duration.ZERO,
                List.of(),
                List.of(),
                List.of());
    }

    private static NodeSnapshot busy(Duration noSlotFor, List<StuckRun> stuck, List<ContainedFailure> failures) {
        return new NodeSnapshot(
                Stage.STARTED,
                true,
                "",
                List.of(),
                WARNING,
                WARNING,
                List.of(),
                List.of(),
                64,
                noSlotFor,
                List.of(),
                stuck,
                failures);
    }

    private static NodeReport node(String id, String zoneRules) {
        return new NodeReport(id, id, NOW, NOW, zoneRules, Duration.ZERO, Set.of("note"), 0);
    }

    private static StuckRun stuck(String key) {
        OpenRun run = new OpenRun(key, "note", NOW, NOW, NOW, null, null, OpenRun.Place.STAGE, null, "", null);
        return new StuckRun(run, NOW, "the run of job '" + key + "' is stuck");
    }

    static Stream<Arguments> verdicts() {
        List<NodeReport> alone = List.of(node("a", "2026a"));
        return Stream.of(
                Arguments.of(well(), Health.State.UP, ""),
                Arguments.of(
                        snapshot(Stage.NEW, false, "", List.of(), Duration.ZERO, List.of()),
                        Health.State.DOWN,
                        "not started"),
                Arguments.of(
                        snapshot(Stage.STARTED, false, "", List.of(), Duration.ZERO, alone),
                        Health.State.DOWN,
                        "not rehydrated"),
                Arguments.of(
                        snapshot(Stage.DRAINED, true, "", List.of(), Duration.ZERO, alone),
                        Health.State.DOWN,
                        "drained"),
                Arguments.of(
                        snapshot(Stage.CLOSED, true, "", List.of(), Duration.ZERO, alone),
                        Health.State.DOWN,
                        "drained"),
                Arguments.of(
                        snapshot(Stage.STARTED, true, "silent for 3 ms", List.of(), Duration.ZERO, alone),
                        Health.State.DOWN,
                        "silent for 3 ms"),
                Arguments.of(
                        snapshot(Stage.STARTED, true, "", List.of("no replica set"), Duration.ZERO, alone),
                        Health.State.DEGRADED,
                        "the store warns: no replica set"),
                Arguments.of(
                        snapshot(
                                Stage.STARTED,
                                true,
                                "",
                                List.of(),
                                WARNING.plusMillis(1).negated(),
                                alone),
                        Health.State.DEGRADED,
                        "clock differs from this node's by PT-0.501S"),
                Arguments.of(snapshot(Stage.STARTED, true, "", List.of(), WARNING, alone), Health.State.UP, ""),
                Arguments.of(
                        snapshot(
                                Stage.STARTED,
                                true,
                                "",
                                List.of(),
                                Duration.ZERO,
                                List.of(node("a", "2026a"), node("b", "2025b"))),
                        Health.State.DEGRADED,
                        "[2025b, 2026a]"),
                Arguments.of(busy(Duration.ofSeconds(59), List.of(), List.of()), Health.State.UP, ""),
                Arguments.of(
                        busy(Duration.ofSeconds(60), List.of(), List.of()),
                        Health.State.DEGRADED,
                        "all 64 slots are taken and none has become free for 60 s"),
                Arguments.of(
                        busy(Duration.ZERO, List.of(stuck("s")), List.of()),
                        Health.State.DEGRADED,
                        "the run of job 's' is stuck"),
                Arguments.of(
                        busy(Duration.ZERO, List.of(), List.of(new ContainedFailure("x", 7, Duration.ofSeconds(9)))),
                        Health.State.DEGRADED,
                        "x has failed 7 times, last 9 s ago"),
                Arguments.of(
                        busy(Duration.ZERO, List.of(), List.of(new ContainedFailure("x", 7, Duration.ofMinutes(5)))),
                        Health.State.UP,
                        ""));
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    @DisplayName(
            "O5: UP without a reason, DEGRADED to be looked at, DOWN if nothing is run; each with its reason alone")
    void verdict(NodeSnapshot snapshot, Health.State state, String reason) {
        Health health = HealthDecider.decide(snapshot);
        assertThat(health.state()).isEqualTo(state);
        if (reason.isEmpty()) {
            assertThat(health.reasons()).isEmpty();
        } else {
            assertThat(health.reasons()).singleElement().asString().contains(reason);
        }
    }

    @Test
    @DisplayName("O5: however many runs are stuck, the reasons stay few and say how many more there are")
    void bounded() {
        Health health = HealthDecider.decide(busy(Duration.ZERO, Collections.nCopies(70, stuck("s")), List.of()));
        assertThat(health.reasons()).hasSize(6).last().asString().contains("65 more");
    }
}
