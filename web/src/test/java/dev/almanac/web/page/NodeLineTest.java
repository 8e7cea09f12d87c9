package dev.almanac.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeLineTest {
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

    private static NodeReport node(String label, long secondsAgo, long aheadMillis) {
        Instant seen = NOW.minusSeconds(secondsAgo);
        Duration offset = Duration.ofMillis(-aheadMillis);
        return new NodeReport("id-" + label, label, seen, seen, "2026a", offset, Set.of(), 0);
    }

    @Test
    @DisplayName(
            "20: a node is live, on standby, silent or stopped, as the command nodes says; a stopped one is neither live nor silent")
    void states() {
        Pause until = new Pause("release", "ann", NOW);
        List<StandingPause> pauses = List.of(
                new StandingPause(PauseScope.node("two"), Pause.because("disk"), NOW),
                new StandingPause(PauseScope.node("one"), until, NOW.minusSeconds(9)),
                new StandingPause(PauseScope.everything(), Pause.because("audit"), NOW));
        List<NodeLine> lines = NodeLine.all(
                List.of(
                        node("one", 1, 0),
                        node("two", 1, 0),
                        node("three", 60, 0),
                        node("four", 1, 0).leaving()),
                pauses,
                NOW,
                true);
        assertThat(lines)
                .extracting(line -> line.chip().text())
                .containsExactly("live", "standby", "silent", "stopped");
        assertThat(lines).extracting(NodeLine::isLive).containsExactly(true, true, false, false);
        assertThat(lines).extracting(NodeLine::isSilent).containsExactly(false, false, true, false);
    }

    @Test
    @DisplayName("20: the clock of a node is ahead of the server's, behind it, or as it")
    void clocks() {
        assertThat(NodeLine.all(List.of(node("a", 1, 700), node("b", 1, -700), node("c", 1, 0)), List.of(), NOW, true))
                .extracting(NodeLine::clock)
                .containsExactly("ahead by 700 ms", "behind by 700 ms", "as the server's");
    }
}
