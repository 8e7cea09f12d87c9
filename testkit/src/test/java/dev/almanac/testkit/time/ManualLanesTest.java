package dev.almanac.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.runtime.Lane;
import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ManualLanesTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime(START);
    private final ManualLanes lanes = new ManualLanes(time);
    private final List<String> ran = new ArrayList<>();

    private Lane.Alarm after(ManualLanes.Node node, int seconds, String name) {
        return node.open("lane", 1)
                .after(
                        Duration.ofSeconds(seconds),
                        () -> ran.add(name + "@"
                                + Duration.between(START, time.wall()).toSeconds()));
    }

    @Test
    @DisplayName("H3: both clocks move together, only forward; the wall shows whole milliseconds")
    void clocks() {
        time.advance(Duration.ofNanos(1_999_999));
        assertThat(time.wall()).isEqualTo(START.plusMillis(1));
        assertThat(time.exact()).isEqualTo(START.plusNanos(1_999_999));
        assertThat(time.nanos()).isEqualTo(1_999_999);
        assertThat(time.zone()).isEqualTo(ZoneOffset.UTC);
        assertThatThrownBy(() -> time.advance(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> time.advanceTo(START)).isInstanceOf(IllegalArgumentException.class);
        assertThat(time.nanos()).isEqualTo(1_999_999);
    }

    @Test
    @DisplayName("H3: a view is off in its wall clock alone")
    void skew() {
        TimeSource behind = time.view(Duration.ofMillis(-250));
        time.advance(SECOND);
        assertThat(behind.wall()).isEqualTo(START.plusMillis(750));
        assertThat(behind.nanos()).isEqualTo(time.nanos());
        assertThat(time.view(Duration.ZERO).wall()).isEqualTo(time.wall());
    }

    @Test
    @DisplayName("X2: a step is repeated, whatever it throws, until it is cancelled, also by itself")
    void repetition() {
        Lane.Alarm[] alarm = new Lane.Alarm[1];
        alarm[0] = lanes.node().open("lane", 1).every(SECOND, () -> {
            ran.add("at " + Duration.between(START, time.wall()).toSeconds());
            if (ran.size() == 2) {
                throw new InternalError("planned");
            }
            if (ran.size() == 3) {
                alarm[0].cancel();
            }
        });
        lanes.advance(SECOND);
        assertThatThrownBy(() -> lanes.advance(SECOND)).hasMessage("planned");
        lanes.advance(Duration.ofMinutes(1));
        assertThat(ran).containsExactly("at 1", "at 2", "at 3");
    }

    @Test
    @DisplayName("steps run at their own moments, of all nodes in one order; of equal times the first come")
    void order() {
        ManualLanes.Node a = lanes.node();
        ManualLanes.Node b = lanes.node();
        after(a, 2, "a2");
        after(b, 1, "b1");
        after(a, 1, "a1");
        after(b, 3, "b3");
        after(a, -5, "a0");
        lanes.advance(Duration.ofSeconds(2));
        assertThat(ran).containsExactly("a0@0", "b1@1", "a1@1", "a2@2");
        assertThat(time.wall()).isEqualTo(START.plusSeconds(2));
        lanes.runUntil(START.plusSeconds(10));
        assertThat(ran).endsWith("b3@3").hasSize(5);
        assertThat(time.wall()).isEqualTo(START.plusSeconds(10));
    }

    @Test
    @DisplayName("a step that another step plans within the time runs too, and one beyond it does not")
    void chain() {
        ManualLanes.Node node = lanes.node();
        node.open("lane", 1).after(SECOND, () -> {
            node.execute(() -> after(node, 1, "near"));
            after(node, 2, "far");
        });
        lanes.advance(Duration.ofSeconds(2));
        assertThat(ran).containsExactly("near@2");
    }

    @Test
    @DisplayName("a step that was taken back does not run, neither from the queue nor from a frozen node")
    void canceled() {
        ManualLanes.Node node = lanes.node();
        after(node, 1, "early").cancel();
        Lane.Alarm waiting = after(node, 1, "waiting");
        after(node, 1, "kept");
        node.freeze();
        lanes.advance(SECOND);
        waiting.cancel();
        node.thaw();
        lanes.advance(SECOND);
        assertThat(ran).containsExactly("kept@1");
    }

    @Test
    @DisplayName("P2: the steps of a frozen node wait and run late, in their order; other nodes go on")
    void freeze() {
        ManualLanes.Node frozen = lanes.node();
        ManualLanes.Node other = lanes.node();
        after(frozen, 1, "first");
        after(frozen, 2, "second");
        after(frozen, 60, "future");
        after(other, 1, "other");
        frozen.freeze();
        lanes.advance(Duration.ofSeconds(30));
        assertThat(ran).containsExactly("other@1");
        frozen.thaw();
        assertThat(ran).as("thawing runs nothing by itself").hasSize(1);
        lanes.advance(Duration.ofSeconds(30));
        assertThat(ran).containsExactly("other@1", "first@30", "second@30", "future@60");
    }

    @Test
    @DisplayName("P5: of a node that is gone no step runs, not even one that waited; other nodes go on")
    void crash() {
        ManualLanes.Node gone = lanes.node();
        ManualLanes.Node other = lanes.node();
        after(gone, 1, "waiting");
        after(gone, 3, "gone");
        after(other, 3, "other");
        gone.freeze();
        lanes.advance(Duration.ofSeconds(2));
        gone.close();
        gone.thaw();
        after(gone, 0, "afterwards");
        lanes.advance(Duration.ofSeconds(2));
        assertThat(ran).containsExactly("other@3");
    }

    @Test
    @DisplayName("steps of equal time are shuffled by a seed: the same seed, the same order; times are kept")
    void shuffle() {
        assertThat(shuffled(7)).isEqualTo(shuffled(7));
        Set<List<String>> orders = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            List<String> order = shuffled(seed);
            assertThat(order).hasSize(4).endsWith("late");
            orders.add(order);
        }
        assertThat(orders).as("all six orders of three steps").hasSize(6);
    }

    private static List<String> shuffled(long seed) {
        ManualLanes shuffling = new ManualLanes(new ManualTime(START), seed);
        ManualLanes.Node node = shuffling.node();
        List<String> order = new ArrayList<>();
        node.open("lane", 1).after(SECOND, () -> order.add("late"));
        for (String name : List.of("a", "b", "c")) {
            node.open("lane", 1).run(() -> order.add(name));
        }
        shuffling.advance(SECOND);
        return order;
    }

    @Test
    @DisplayName("until idle: runs what there is, moves time no further than the last step, and never hangs")
    void idle() {
        ManualLanes.Node node = lanes.node();
        ManualLanes.Node gone = lanes.node();
        after(node, 5, "last");
        after(node, 90, "canceled").cancel();
        after(gone, 99, "gone");
        gone.close();
        lanes.runUntilIdle(1);
        assertThat(ran).containsExactly("last@5");
        assertThat(time.wall()).isEqualTo(START.plusSeconds(5));
        again(node);
        assertThatThrownBy(() -> lanes.runUntilIdle(100))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("100");
        assertThat(ran).hasSize(101);
    }

    private void again(ManualLanes.Node node) {
        node.execute(() -> {
            ran.add("again");
            again(node);
        });
    }

    @Test
    @DisplayName("what a step throws comes out where time is moved on; the other steps are still there")
    void failure() {
        ManualLanes.Node node = lanes.node();
        node.open("lane", 1).run(() -> {
            throw new IllegalStateException("broken");
        });
        after(node, 1, "next");
        assertThatThrownBy(() -> lanes.advance(SECOND)).hasMessage("broken");
        lanes.advance(SECOND);
        assertThat(ran).containsExactly("next@1");
    }

    private void takes(ManualLanes.Node node, Lane lane, int start, int seconds, String name) {
        lane.after(Duration.ofSeconds(start), () -> {
            ran.add(name + " begins");
            node.takeTime(Duration.ofSeconds(seconds));
            ran.add(name + "@" + Duration.between(START, time.wall()).toSeconds());
        });
    }

    @Test
    @DisplayName("steps that take time overlap in any way; each goes on at its moment")
    void overlap() {
        ManualLanes.Node a = lanes.node();
        ManualLanes.Node b = lanes.node();
        takes(a, a.open("lane", 1), 0, 10, "a");
        takes(b, b.open("lane", 1), 5, 10, "b");
        takes(a, a.open("other", 1), 6, 1, "c");
        lanes.advance(Duration.ofSeconds(9));
        assertThat(ran).containsExactly("a begins", "b begins", "c begins", "c@7");
        lanes.advance(Duration.ofSeconds(9));
        assertThat(ran).endsWith("a@10", "b@15").hasSize(6);
        assertThat(time.wall()).isEqualTo(START.plusSeconds(18));
        assertThatThrownBy(() -> a.takeTime(SECOND)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("a lane runs as many steps at a time as it is wide; the others wait for their turn")
    void width() {
        ManualLanes.Node node = lanes.node();
        Lane two = node.open("lane", 2);
        for (String name : List.of("a", "b", "c", "d")) {
            takes(node, two, 0, 10, name);
        }
        lanes.advance(Duration.ofSeconds(60));
        assertThat(ran).containsExactly("a begins", "b begins", "a@10", "c begins", "b@10", "d begins", "c@20", "d@20");
    }

    @Test
    @DisplayName("P2: a reply that comes while its node is frozen is read when it thaws")
    void frozenInTheMiddle() {
        ManualLanes.Node node = lanes.node();
        takes(node, node.open("lane", 1), 0, 10, "a");
        lanes.advance(SECOND);
        node.freeze();
        lanes.advance(Duration.ofSeconds(39));
        assertThat(ran).containsExactly("a begins");
        node.thaw();
        lanes.advance(SECOND);
        assertThat(ran).containsExactly("a begins", "a@40");
    }

    @Test
    @DisplayName("P5: a step in whose middle the node is gone does not go on, whenever that is")
    void goneInTheMiddle() {
        ManualLanes.Node first = lanes.node();
        ManualLanes.Node second = lanes.node();
        List<String> unwound = new ArrayList<>();
        for (ManualLanes.Node node : List.of(first, second)) {
            node.open("lane", 1).run(() -> {
                try {
                    node.takeTime(Duration.ofSeconds(10));
                    ran.add("never");
                } finally {
                    unwound.add("unwound");
                }
            });
        }
        lanes.advance(SECOND);
        first.close();
        lanes.advance(Duration.ofSeconds(9));
        assertThat(unwound).as("the second goes on").hasSize(2);
        assertThat(ran).containsExactly("never");
        takes(second, second.open("lane", 1), 0, 10, "a");
        lanes.advance(SECOND);
        lanes.close();
        assertThat(ran).containsExactly("never", "a begins");
    }

    @Test
    @DisplayName("what a step throws after it has taken time comes out where time is moved on")
    void failureInTheMiddle() {
        ManualLanes.Node node = lanes.node();
        node.execute(() -> {
            node.takeTime(SECOND);
            throw new IllegalStateException("broken");
        });
        lanes.advance(Duration.ZERO);
        assertThatThrownBy(() -> lanes.advance(SECOND)).hasMessage("broken");
    }

    @Test
    @Timeout(30)
    @DisplayName("a wait ends at its latest moment, also if the next step comes later, which then comes in its time")
    void awaitWithLaterStep() throws Exception {
        ManualLanes.Node node = lanes.node();
        node.open("lane", 1).after(SECOND.multipliedBy(3), () -> ran.add("later"));
        Instant begin = time.exact();
        assertThat(node.await(new CompletableFuture<>(), SECOND)).isFalse();
        assertThat(time.exact()).isEqualTo(begin.plus(SECOND));
        assertThat(ran).isEmpty();
        lanes.advance(SECOND.multipliedBy(2));
        assertThat(ran).containsExactly("later");
    }
}
