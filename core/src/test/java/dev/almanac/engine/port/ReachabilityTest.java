package dev.almanac.engine.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReachabilityTest {
    private final AtomicReference<Reachability> reachability = new AtomicReference<>();
    private final AtomicReference<String> heard = new AtomicReference<>("");

    private Reachability with(TimeSource time, SchedulerListener listener) {
        EventStream stream = new EventStream(List.of(listener), time, Runnable::run);
        reachability.set(new Reachability(new ServerClock(time, stream), stream, () -> asked++));
        return reachability.get();
    }

    @Test
    @DisplayName("O5: what health tells of the store does not wait for a listener that takes its time")
    void neverBlocks() {
        Reachability store = with(TimeSource.system(), event -> {
            if (event instanceof SchedulerEvent.StoreUnreachable) {
                heard.set(CompletableFuture.supplyAsync(
                                () -> reachability.get().complaint().reason())
                        .orTimeout(3, TimeUnit.MINUTES)
                        .join());
            }
        });
        store.failed("looking", new StoreException("no answer", new RuntimeException("cut")));
        assertThat(heard.get()).startsWith("the store has not answered for ");
    }

    private static final StoreException LOST = new StoreException("no answer", new RuntimeException("cut"));

    private final List<String> events = new ArrayList<>();
    private int asked;
    private final AtomicLong nanos = new AtomicLong();

    private final TimeSource time = new TimeSource() {
        @Override
        public Instant wall() {
            return Instant.EPOCH.plusNanos(nanos());
        }

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public ZoneId zone() {
            return ZoneOffset.UTC;
        }
    };

    private Reachability counted() {
        return with(time, event -> events.add(event.getClass().getSimpleName()));
    }

    @Test
    @DisplayName("O4: an outage is told once, pauses grow to their bound, and the end is told once")
    void outage() {
        Reachability store = counted();
        assertThat(store.complaint()).isEqualTo(StoreComplaint.NONE);
        assertThat(store.unanswered("a", LOST).toMillis()).isEqualTo(100);
        assertThat(store.unanswered("a", LOST).toMillis()).isEqualTo(200);
        for (int i = 0; i < 10; i++) {
            assertThat(store.unanswered("a", LOST).toMillis()).isBetween(400L, 2_000L);
        }
        store.answered("a");
        store.answered("a");
        assertThat(store.complaint()).isEqualTo(StoreComplaint.NONE);
        assertThat(events).containsExactly("StoreUnreachable", "StoreReachable");
        assertThat(store.unanswered("a", LOST).toMillis()).as("it starts anew").isEqualTo(100);
    }

    @Test
    @DisplayName("X2, O4: an answer of one kind of call ends no outage of another, nor shortens its pause")
    void kinds() {
        Reachability store = counted();
        store.unanswered("a", LOST);
        store.unanswered("b", LOST);
        store.answered("b");
        store.answered("c");
        assertThat(store.complaint().reason()).endsWith(" ms while a");
        assertThat(store.unanswered("a", LOST).toMillis()).isEqualTo(200);
        assertThat(events).containsExactly("StoreUnreachable");
        store.answered("a");
        assertThat(events).containsExactly("StoreUnreachable", "StoreReachable");
    }

    @Test
    @DisplayName("O5: a call that is not repeated soon is no outage any more once another is answered; its pause grows")
    void occasional() {
        Reachability store = counted();
        assertThat(store.failed("purging", LOST).toMillis()).isEqualTo(100);
        assertThat(store.complaint().isDown()).isTrue();
        store.answered("a");
        assertThat(store.complaint()).isEqualTo(StoreComplaint.NONE);
        assertThat(store.failed("purging", LOST).toMillis()).isEqualTo(200);
        store.answered("a");
        nanos.addAndGet(Duration.ofSeconds(40).toNanos());
        store.answered("a");
        assertThat(store.failed("purging", LOST).toMillis()).isEqualTo(100);
    }

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private boolean isWell(Reachability store) {
        return store.complaint().equals(StoreComplaint.NONE);
    }

    @Test
    @DisplayName("O5: a report that was sent after the last failure and is acknowledged ends the outage of every kind")
    void reported() {
        Reachability store = counted();
        store.unanswered(Reachability.CLAIMS, LOST);
        store.failed("purging", LOST);
        store.unanswered("looking", LOST);
        store.reported(nanos.get() - 1);
        assertThat(isWell(store)).as("sent before the failures").isFalse();
        nanos.addAndGet(SECOND);
        store.answered("counting");
        assertThat(isWell(store)).as("a reading shows no acknowledgement").isFalse();
        store.reported(nanos.get());
        assertThat(isWell(store)).isTrue();
        assertThat(events).containsExactly("StoreUnreachable", "StoreReachable");
        assertThat(asked).as("once for each outage").isEqualTo(1);
        assertThat(store.failed("purging", LOST).toMillis()).as("pauses go on").isEqualTo(200);
        assertThat(asked).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "O5: calls that fail although reports are acknowledged are an outage until one is answered, or none is made")
    void relapse() {
        Reachability store = counted();
        store.unanswered(Reachability.CLAIMS, LOST);
        nanos.addAndGet(SECOND);
        store.reported(nanos.get());
        nanos.addAndGet(SECOND);
        store.unanswered(Reachability.CLAIMS, LOST);
        for (int i = 0; i < 10; i++) {
            nanos.addAndGet(30 * SECOND);
            store.reported(nanos.get());
            assertThat(isWell(store)).isFalse();
            store.unanswered(Reachability.CLAIMS, LOST);
        }
        nanos.addAndGet(40 * SECOND);
        store.reported(nanos.get());
        assertThat(isWell(store)).as("no call is made any more").isTrue();
        nanos.addAndGet(SECOND);
        store.unanswered(Reachability.CLAIMS, LOST);
        store.answered(Reachability.CLAIMS);
        assertThat(isWell(store)).isTrue();
        store.unanswered(Reachability.CLAIMS, LOST);
        nanos.addAndGet(SECOND);
        store.reported(nanos.get());
        assertThat(isWell(store))
                .as("an answer makes the next one the first again")
                .isTrue();
    }

    @Test
    @DisplayName("O5: a node is DOWN if it cannot read, or nothing is acknowledged; not if only some writes are not")
    void down() {
        Reachability store = counted();
        store.unanswered(Reachability.CLAIMS, LOST);
        store.unanswered(Reachability.RENEWALS, LOST);
        assertThat(store.complaint().isDown()).isFalse();
        store.unanswered(Reachability.REPORTS, LOST);
        assertThat(store.complaint().isDown()).isTrue();
        store.answered(Reachability.CLAIMS);
        store.answered(Reachability.RENEWALS);
        assertThat(store.complaint().isDown()).as("jobs are run").isFalse();
        assertThat(store.complaint().reason()).endsWith(" ms while reporting this node");
        store.unanswered("looking", LOST);
        assertThat(store.complaint().isDown()).isTrue();
    }
}
