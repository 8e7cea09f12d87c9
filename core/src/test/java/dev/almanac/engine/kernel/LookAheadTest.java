package dev.almanac.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LookAheadTest {
    private static final Instant NOW = Instant.parse("2099-03-02T08:00:00Z");
    private static final int MINE = 0;
    private static final int OTHERS = 1;

    private final LookAhead ahead = new LookAhead(Duration.ofMillis(250), Duration.ofMillis(100));

    LookAheadTest() {
        ahead.prefer(Set.of(MINE));
        ahead.lookBegins(NOW);
        look();
    }

    private static DueJob job(String id, int priority, int partition, @Nullable String group) {
        return new DueJob(id, NOW.minusSeconds(1), priority, partition, "note", group);
    }

    private List<String> take(int limit) {
        return take(limit, false);
    }

    private List<String> take(int limit, boolean ownFirst) {
        return ahead.take(NOW, limit, ownFirst, type -> true, type -> true, new SplittableRandom(1)).stream()
                .map(DueJob::id)
                .toList();
    }

    @Test
    @DisplayName("R9: urgent jobs of another node's partitions that are late come before this node's others")
    void urgentOfOthers() {
        ahead.add(job("own", 4, MINE, null));
        ahead.add(job("own urgent", 3, MINE, null));
        ahead.add(job("other", 4, OTHERS, null));
        ahead.add(job("other urgent", 0, OTHERS, null));
        assertThat(take(3)).containsExactly("own urgent", "other urgent", "own");
    }

    @Test
    @DisplayName("R9: among jobs that are not urgent a node takes its own partitions' first")
    void ownFirst() {
        ahead.add(job("other", 4, OTHERS, null));
        ahead.add(job("own", 7, MINE, null));
        assertThat(take(1)).containsExactly("own");
    }

    @Test
    @DisplayName(
            "R9: while more of its own may be due, a node takes only urgent and neglected jobs of other partitions")
    void ownBacklog() {
        ahead.add(job("own", 4, MINE, null));
        ahead.add(job("other", 4, OTHERS, null));
        ahead.add(job("other urgent", 0, OTHERS, null));
        ahead.add(new DueJob("neglected", NOW.minusSeconds(9), 4, OTHERS, "note", null));
        assertThat(take(9, true)).containsExactlyInAnyOrder("own", "other urgent", "neglected");
        assertThat(take(9, true)).isEmpty();
        assertThat(take(9, false)).containsExactly("other");
    }

    @Test
    @DisplayName("R11: however many jobs a node has stored itself, it keeps few of them in memory, those due first")
    void bounded() {
        for (int i = 20_000; i > 0; i--) {
            ahead.add(new DueJob("j" + i, NOW.plusMillis(i), 4, LookAhead.OWN, "note", null));
        }
        assertThat(ahead.known()).isEqualTo(10_000);
        assertThat(take(1)).containsExactly("j1");
        assertThat(ahead.known()).isEqualTo(9_999);
    }

    private void look(DueJob... found) {
        ahead.replace(
                new DueQuery(Set.of("note"), Set.of(), Set.of(), Set.of(MINE, OTHERS), 0, 7, NOW, 10), List.of(found));
    }

    @Test
    @DisplayName("P1: what a node is told of a job that it claims counts when the claim is over, not before")
    void toldWhileClaiming() {
        DueJob before = job("j", 4, MINE, null);
        ahead.add(before);
        assertThat(take(1)).containsExactly("j");
        ahead.add(new DueJob("j", NOW.minusMillis(5), 4, MINE, "note", null));
        assertThat(take(1)).isEmpty();
        ahead.claimEnded("j");
        assertThat(take(1)).containsExactly("j");
        ahead.add(new DueJob("j", NOW.minusMillis(5), 4, MINE, "note", null));
        ahead.claimEnded("j");
        assertThat(take(1)).as("that is what was claimed").isEmpty();
    }

    @Test
    @DisplayName("P1: a look that began before says nothing of what was claimed or told since; the next one does")
    void oldLook() {
        DueJob old = job("j", 4, MINE, null);
        ahead.add(old);
        take(1);
        ahead.lookBegins(NOW);
        look(old);
        ahead.claimEnded("j");
        look(old);
        assertThat(ahead.known()).isZero();
        ahead.add(new DueJob("j", NOW.plusSeconds(1), 4, MINE, "note", null));
        look(old);
        assertThat(take(1)).isEmpty();
        assertThat(ahead.known()).isEqualTo(1);
        ahead.lookBegins(NOW);
        look();
        assertThat(ahead.known()).isZero();
    }

    @Test
    @DisplayName("X7: jobs of others' partitions that wait much longer than this node's own come with them, by due")
    void neglected() {
        ahead.add(job("own", 4, MINE, null));
        ahead.add(new DueJob("late", NOW.minusMillis(2_900), 4, OTHERS, "note", null));
        ahead.add(new DueJob("neglected", NOW.minusMillis(3_100), 4, OTHERS, "note", null));
        assertThat(take(3)).containsExactly("neglected", "own", "late");
    }

    private static DueJob soon(String id, int partition) {
        return new DueJob(id, NOW.plusMillis(200), 4, partition, "note", null);
    }

    private List<String> takeAt(long millis) {
        return ahead
                .take(NOW.plusMillis(millis), 10, false, type -> true, type -> true, new SplittableRandom(1))
                .stream()
                .map(DueJob::id)
                .toList();
    }

    @Test
    @DisplayName(
            "P1: jobs of others' partitions are claimed when a look shows that they are late, not by older knowledge")
    void othersOnceSeenLate() {
        look(soon("own", MINE), soon("other", OTHERS));
        assertThat(takeAt(1_000)).containsExactly("own");
        assertThat(ahead.nextTake(type -> true)).as("nothing before a look").isNull();
        ahead.lookBegins(NOW.plusMillis(250));
        look(soon("other", OTHERS));
        assertThat(takeAt(299)).as("its owner has a moment").isEmpty();
        assertThat(ahead.nextTake(type -> true)).isEqualTo(NOW.plusMillis(300));
        assertThat(takeAt(300)).containsExactly("other");
    }

    @Test
    @DisplayName("P1: a look at this node's own partitions says nothing of the others'")
    void lookAtOwn() {
        look(soon("other", OTHERS));
        ahead.lookBegins(NOW.plusSeconds(1));
        ahead.replace(new DueQuery(Set.of("note"), Set.of(), Set.of(), Set.of(MINE), 0, 7, NOW, 10), List.of());
        assertThat(takeAt(1_000)).isEmpty();
        assertThat(ahead.known()).isEqualTo(1);
    }

    @Test
    @DisplayName("P1: after another node was first, jobs of others' partitions wait for a look; this node's own do not")
    void competed() {
        ahead.add(job("own", 4, MINE, null));
        ahead.add(job("other", 4, OTHERS, null));
        ahead.answered(List.of(job("lost", 4, OTHERS, null)), ClaimCall.Result.COMPETED);
        assertThat(take(2)).containsExactly("own");
        ahead.lookBegins(NOW);
        look(job("other", 4, OTHERS, null));
        assertThat(take(2)).containsExactly("other");
    }

    @Test
    @DisplayName(
            "P1: what nobody else has claimed shows that a partition is not served: its jobs wait for no look then")
    void unserved() {
        look(soon("other", OTHERS));
        ahead.answered(List.of(job("own", 4, MINE, null)), ClaimCall.Result.WON);
        assertThat(takeAt(1_000)).isEmpty();
        ahead.answered(List.of(job("late", 4, OTHERS, null)), ClaimCall.Result.WON);
        assertThat(takeAt(299)).isEmpty();
        assertThat(takeAt(300)).containsExactly("other");
        look(soon("next", OTHERS));
        ahead.answered(List.of(job("lost", 4, OTHERS, null)), ClaimCall.Result.COMPETED);
        assertThat(takeAt(1_000)).isEmpty();
    }

    @Test
    @DisplayName("P9: a group may have any name, and jobs without one are not of it")
    void groupCalledNull() {
        ahead.add(job("a", 4, MINE, null));
        ahead.add(job("b", 4, MINE, "null"));
        assertThat(take(2)).containsExactlyInAnyOrder("a", "b");
        ahead.add(job("c", 4, MINE, null));
        ahead.lookBegins(NOW);
        ahead.replace(new DueQuery(Set.of("note"), Set.of(), Set.of("null"), Set.of(MINE), 0, 7, NOW, 10), List.of());
        assertThat(ahead.nextTake(type -> true))
                .as("it is gone from the store, busy group or not")
                .isNull();
    }

    @Test
    @DisplayName("X6: jobs that are left alone hide none that are due later, however many they are")
    void leftAloneHideNone() {
        List<DueJob> found = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            found.add(new DueJob("j" + i, NOW.minusSeconds(9), 4, MINE, "note", null));
            ahead.backOff().add("j" + i, NOW.plusSeconds(30), "why");
        }
        assertThat(ahead.backOff().count(NOW))
                .as("a look asks for so many more")
                .isEqualTo(20_000);
        found.add(job("later", 4, MINE, null));
        ahead.lookBegins(NOW);
        look(found.toArray(DueJob[]::new));
        assertThat(take(9)).containsExactly("later");
    }

    @Test
    @DisplayName(
            "X6: of more jobs than are remembered, those that may be tried again first are not left alone any more")
    void mostLeftAlone() {
        BackOff backOff = ahead.backOff();
        for (int i = 0; i < 100_000; i++) {
            backOff.add("j" + i, NOW.plusSeconds(60 + i), "why");
        }
        backOff.add("soon", NOW.plusSeconds(1), "why");
        assertThat(backOff.isOn("soon", NOW)).isTrue();
        assertThat(backOff.isOn("j0", NOW)).isFalse();
        assertThat(backOff.isOn("j1", NOW)).isTrue();
        backOff.add("j1", NOW.plusSeconds(90), "why");
        assertThat(backOff.until("j1")).isEqualTo(NOW.plusSeconds(90));
        assertThat(backOff.words("j1", NOW))
                .contains("this one leaves it alone until " + NOW.plusSeconds(90) + ": why");
        assertThat(backOff.words("j1", NOW.plusSeconds(90))).isEmpty();
        assertThat(backOff.count(NOW)).isEqualTo(100_000);
    }
}
