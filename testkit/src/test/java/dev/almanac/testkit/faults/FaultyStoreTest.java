package dev.almanac.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.RowLimit;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    private final ManualTime time = new ManualTime(START);
    private final ManualLanes lanes = new ManualLanes(time);
    private final JobStore store = new InMemoryJobStore(time);
    private final FaultyStore faulty = faultyStore();
    private final NewJob job = Specimens.minimal("k", START);

    private FaultyStore faultyStore() {
        return new FaultyStore(store, lanes.node().open("network", 1));
    }

    private void claim() {
        Instant until = time.wall().plusSeconds(20);
        faulty.claim(new ClaimRequest(
                List.of(job.job().id()), time.wall(), new Lease("node", 7, until), until.plusSeconds(2)));
    }

    private StoredJob stored() {
        return store.find("k", FindScope.LIVE).orElseThrow();
    }

    @Test
    @DisplayName("P2: a lost request is not applied, a lost reply is; the caller cannot tell them apart")
    void lost() {
        faulty.insert(List.of(job));
        faulty.fail(StoreCall.CLAIM, 1, Fault.LOSE_REQUEST).fail(StoreCall.CLAIM, 2, Fault.LOSE_REPLY);
        assertThatThrownBy(this::claim).isInstanceOf(StoreException.class).hasMessageContaining("CLAIM");
        assertThat(stored().lease()).isNull();
        assertThatThrownBy(this::claim).isInstanceOf(StoreException.class);
        assertThat(stored().lease()).isNotNull();
        assertThat(faulty.calls(StoreCall.CLAIM)).isEqualTo(2);
    }

    @Test
    @DisplayName("P2: a late claim takes effect after its caller has given up, even if the caller is gone")
    void late() {
        faulty.insert(List.of(job));
        faulty.fail(StoreCall.CLAIM, 1, Fault.late(Duration.ofSeconds(3)));
        assertThatThrownBy(this::claim).isInstanceOf(StoreException.class);
        lanes.advance(Duration.ofMillis(2_999));
        assertThat(stored().lease()).isNull();
        lanes.advance(Duration.ofMillis(1));
        assertThat(stored().lease()).isEqualTo(new Lease("node", 7, START.plusSeconds(20)));
    }

    @Test
    @DisplayName("a request that arrives twice is answered at once and arrives once more, which a guard withstands")
    void twice() {
        FaultyStore near = new FaultyStore(faulty, lanes.node().open("network", 1))
                .fail(StoreCall.INSERT, 1, Fault.twice(Duration.ofSeconds(3)));
        assertThat(near.insert(List.of(job))).containsExactly(true);
        claim();
        StoredJob claimed = stored();
        assertThat(faulty.calls(StoreCall.INSERT)).isEqualTo(1);
        lanes.advance(Duration.ofSeconds(3));
        assertThat(faulty.calls(StoreCall.INSERT)).isEqualTo(2);
        assertThat(stored()).isEqualTo(claimed);
    }

    @Test
    @DisplayName("a copy that the store refuses troubles nobody")
    void refusedCopy() {
        FaultyStore far = faultyStore();
        far.disconnect();
        FaultyStore near = new FaultyStore(far, lanes.node().open("network", 1))
                .fail(StoreCall.FIND, 1, Fault.late(Duration.ZERO));
        assertThatThrownBy(() -> near.find("k", FindScope.LIVE)).isInstanceOf(StoreException.class);
        lanes.advance(Duration.ofSeconds(1));
        assertThat(far.calls(StoreCall.FIND)).isEqualTo(1);
    }

    @Test
    @DisplayName("a partition cuts one node off and no other, until it ends; what was under way arrives")
    void partition() {
        faulty.fail(StoreCall.INSERT, 1, Fault.late(Duration.ofSeconds(1)));
        assertThatThrownBy(() -> faulty.insert(List.of(job))).isInstanceOf(StoreException.class);
        faulty.disconnect();
        assertThatThrownBy(faulty::serverTime).isInstanceOf(StoreException.class);
        assertThat(faultyStore().serverTime()).isEqualTo(START);
        lanes.advance(Duration.ofSeconds(1));
        assertThat(stored()).isEqualTo(job.job());
        faulty.reconnect();
        assertThat(faulty.find("k", FindScope.LIVE)).contains(job.job());
    }

    @Test
    @DisplayName("healing ends the partition, the script and the chances")
    void heal() {
        faulty.fail(StoreCall.SERVER_TIME, 2, Fault.LOSE_REPLY)
                .failAtRandom(1, new Chances(Map.of(Fault.Kind.LOSE_REQUEST, 1.0), Duration.ZERO, Duration.ZERO));
        assertThatThrownBy(faulty::serverTime).isInstanceOf(StoreException.class);
        faulty.disconnect();
        faulty.heal();
        assertThat(faulty.serverTime()).isEqualTo(START);
        assertThat(faulty.serverTime()).isEqualTo(START);
    }

    @Test
    @DisplayName("chance: the same seed gives the same faults, as often as asked")
    void chances() {
        Chances chances = new Chances(
                Map.of(
                        Fault.Kind.LOSE_REQUEST, 0.1,
                        Fault.Kind.LOSE_REPLY, 0.1,
                        Fault.Kind.LATE, 0.05,
                        Fault.Kind.TORN, 0.05,
                        Fault.Kind.SLOW, 0.1,
                        Fault.Kind.TWICE, 0.1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5));
        String faults = outcomes(3, chances);
        assertThat(faults).isEqualTo(outcomes(3, chances)).isNotEqualTo(outcomes(4, chances));
        assertThat(faults.chars().filter(c -> c == 'x').count())
                .as("three in ten fail; a repeated or slow one does not")
                .isBetween(540L, 660L);
        assertThat(outcomes(3, Chances.NONE)).doesNotContain("x");
    }

    private String outcomes(long seed, Chances chances) {
        FaultyStore random = faultyStore().failAtRandom(seed, chances);
        return IntStream.range(0, 2_000)
                .mapToObj(i -> {
                    try {
                        random.serverTime();
                        return ".";
                    } catch (StoreException lost) {
                        return "x";
                    }
                })
                .collect(Collectors.joining());
    }

    @Test
    @DisplayName("chance: delays lie within the longest")
    void delays() {
        FaultyStore random = faultyStore()
                .failAtRandom(5, new Chances(Map.of(Fault.Kind.LATE, 1.0), Duration.ofSeconds(5), Duration.ZERO));
        for (int i = 0; i < 100; i++) {
            NewJob late = Specimens.minimal("late-" + i, START);
            assertThatThrownBy(() -> random.insert(List.of(late))).isInstanceOf(StoreException.class);
        }
        assertThat(store.find("late-0", FindScope.LIVE)).isEmpty();
        lanes.advance(Duration.ofMillis(2_500));
        long half = arrived();
        lanes.advance(Duration.ofMillis(2_500));
        assertThat(half).isBetween(30L, 70L);
        assertThat(arrived()).isEqualTo(100);
    }

    private long arrived() {
        return IntStream.range(0, 100)
                .filter(i -> store.find("late-" + i, FindScope.LIVE).isPresent())
                .count();
    }

    @Test
    @DisplayName("chances, delays and numbers that make no sense are refused")
    void refused() {
        Duration second = Duration.ofSeconds(1);
        for (double wrong : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> new Chances(Map.of(Fault.Kind.LATE, wrong), second, second))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new Chances(Map.of(), second.negated(), second))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Chances(Map.of(Fault.Kind.LATE, 0.6, Fault.Kind.SLOW, 0.6), second, second))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fault.slow(second, second.negated())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Fault.late(second.negated())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> faulty.fail(StoreCall.CLAIM, 0, Fault.LOSE_REPLY))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("P2: a slow claim is applied and answered at its moments, and others act meanwhile")
    void slow() {
        faulty.insert(List.of(job));
        ManualLanes.Node node = lanes.node();
        FaultyStore slow = new FaultyStore(store, lanes.node().open("network", 1), node::takeTime)
                .fail(StoreCall.FIND, 1, Fault.slow(Duration.ofSeconds(3), Duration.ofSeconds(30)))
                .fail(
                        StoreCall.FIND,
                        2,
                        new Fault(Fault.Kind.LOSE_REPLY, Duration.ofSeconds(3), Duration.ofSeconds(4)));
        List<String> answers = new ArrayList<>();
        node.execute(
                () -> answers.add(slow.find("k", FindScope.LIVE).orElseThrow().lease() + " " + time.wall()));
        lanes.advance(Duration.ofSeconds(2));
        claim();
        StoredJob claimed = stored();
        lanes.advance(Duration.ofSeconds(30));
        assertThat(answers).isEmpty();
        lanes.advance(Duration.ofSeconds(1));
        assertThat(answers).containsExactly(claimed.lease() + " " + START.plusSeconds(33));
        node.execute(
                () -> assertThatThrownBy(() -> slow.find("k", FindScope.LIVE)).isInstanceOf(StoreException.class));
        node.execute(() -> answers.add("others"));
        lanes.advance(Duration.ofSeconds(7));
        assertThat(answers).hasSize(2);
    }

    @Test
    @DisplayName("N2: of a torn change the document is there, and its row is not")
    void torn() {
        faulty.insert(List.of(job));
        faulty.fail(StoreCall.WRITE, 1, Fault.TORN);
        JobChange change = change("second", JobChange.By.HOLDER);
        assertThatThrownBy(() -> faulty.write(List.of(change))).isInstanceOf(StoreException.class);
        assertThat(stored()).isEqualTo(change.after());
        assertThat(rows()).containsExactly(job.row().id());
    }

    @Test
    @DisplayName("N2, N5: a change that is split leaves what a whole one does; a torn one limits no rows")
    void split() {
        Instant end = START.plusSeconds(9);
        for (Fault.Kind kind : List.of(Fault.Kind.SPLIT, Fault.Kind.TORN)) {
            NewJob other = Specimens.minimal(kind.name(), START);
            store.insert(List.of(other));
            FaultyStore some = faultyStore().fail(StoreCall.WRITE, 1, new Fault(kind, Duration.ZERO, Duration.ZERO));
            JobChange limited = new JobChange(
                    other.job(),
                    other.job().with(edit -> edit.due(null)),
                    List.of(),
                    new RowLimit(end, end),
                    JobChange.By.REQUEST,
                    false);
            if (kind == Fault.Kind.SPLIT) {
                assertThat(some.write(List.of(limited))).containsExactly(true);
            } else {
                assertThatThrownBy(() -> some.write(List.of(limited))).isInstanceOf(StoreException.class);
            }
            assertThat(store.rows(RowQuery.ofDocument(other.job().id(), 9)))
                    .extracting(JobExecutionStatus::deleteTime)
                    .containsExactly(kind == Fault.Kind.SPLIT ? end : null);
        }
    }

    @Test
    @DisplayName("N2: rows that the sender of a change writes are not written by the second half of one that is split")
    void splitRows() {
        faulty.insert(List.of(job));
        Fault split = new Fault(Fault.Kind.SPLIT, Duration.ZERO, Duration.ZERO);
        faulty.fail(StoreCall.WRITE, 1, split).fail(StoreCall.WRITE, 2, split);
        JobChange first = change("second", JobChange.By.HOLDER).withRowsToFollow();
        assertThat(faulty.write(List.of(first))).containsExactly(true);
        assertThat(stored()).isEqualTo(first.after());
        assertThat(rows()).containsExactly(job.row().id());
        JobExecutionStatus row = first.rows().get(0).toBuilder().id("third").build();
        StoredJob after = first.after().with(edit -> edit.lastStatus(row));
        assertThat(faulty.write(List.of(new JobChange(first.after(), after, List.of(row), JobChange.By.REQUEST))))
                .containsExactly(true);
        assertThat(rows()).containsExactlyInAnyOrder(job.row().id(), "second", "third");
    }

    @Test
    @DisplayName("P7: of a torn insert the document is there, and a repetition brings the row")
    void tornInsert() {
        faulty.fail(StoreCall.INSERT, 1, Fault.TORN);
        assertThatThrownBy(() -> faulty.insert(List.of(job))).isInstanceOf(StoreException.class);
        assertThat(stored()).isEqualTo(job.job());
        assertThat(rows()).isEmpty();
        assertThat(store.rows(RowQuery.ofKey("k", 9))).isEmpty();
        assertThat(faulty.insert(List.of(job))).containsExactly(true);
        assertThat(rows()).containsExactly(job.row().id());
    }

    private JobChange change(String rowId, JobChange.By order) {
        JobExecutionStatus row = job.row().toBuilder()
                .id(rowId)
                .updatedTime(START.plusSeconds(1))
                .build();
        StoredJob after = job.job().with(edit -> edit.due(null).lastStatus(row));
        return new JobChange(job.job(), after, List.of(row), order);
    }

    private List<String> rows() {
        return store.rows(RowQuery.ofDocument(job.job().id(), 9)).stream()
                .map(JobExecutionStatus::id)
                .toList();
    }

    @Test
    @DisplayName("every method of the seam that asks the server can be made to fail")
    void everyMethod() {
        List<String> methods = Stream.of(JobStore.class, ClusterStore.class, StoreInspection.class)
                .flatMap(seam -> Arrays.stream(seam.getMethods()))
                .map(Method::getName)
                .distinct()
                .filter(name -> !List.of("commandCodec", "cluster", "lastLife").contains(name))
                .map(name -> name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT))
                .sorted()
                .toList();
        assertThat(Arrays.stream(StoreCall.values()).map(Enum::name).sorted()).containsExactlyElementsOf(methods);
        faulty.disconnect();
        assertThatThrownBy(() -> faulty.cluster().control()).isInstanceOf(StoreException.class);
    }
}
