package dev.almanac.engine.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Listeners that take their time. Their own threads run when the test says so. */
class EventStreamTest {
    private static final int BOUND = 10_000;

    private final Queue<Runnable> threads = new ArrayDeque<>();
    private long nanos;
    private int refusals;

    private EventStream to(SchedulerListener listener) {
        TimeSource time = new TimeSource() {
            @Override
            public Instant wall() {
                return Instant.EPOCH;
            }

            @Override
            public long nanos() {
                return nanos;
            }

            @Override
            public ZoneId zone() {
                return ZoneOffset.UTC;
            }
        };
        return new EventStream(List.of(listener), time, this::thread);
    }

    private void thread(Runnable step) {
        if (refusals > 0) {
            refusals--;
            throw new InternalError("unable to create native thread");
        }
        threads.add(step);
    }

    private static SchedulerEvent event(int number) {
        return new SchedulerEvent.NodeStarted("" + number);
    }

    @Test
    @DisplayName("X1: a listener that wants some events is called for those, and the others for all")
    void wanted() {
        List<SchedulerEvent> all = new ArrayList<>();
        List<SchedulerEvent> some = new ArrayList<>();
        EventStream events = to(all::add);
        events.add(some::add, true, event -> event.equals(event(2)));
        for (int i = 1; i <= 3; i++) {
            events.emit(event(i));
        }
        threads.forEach(Runnable::run);
        assertThat(all).containsExactly(event(1), event(2), event(3));
        assertThat(some).containsExactly(event(2));
    }

    @Test
    @DisplayName(
            "X1, O5: of the events that a listener does not keep up with, 10 000 wait; how many were left out is reported")
    void leftOut() {
        List<SchedulerEvent> heard = new ArrayList<>();
        EventStream events = to(heard::add);
        for (int i = 0; i < BOUND; i++) {
            events.emit(event(i));
        }
        assertThat(events.slow()).isEmpty();
        for (int i = 0; i < 3; i++) {
            events.emit(event(BOUND + i));
        }
        nanos = Duration.ofSeconds(4).toNanos();
        assertThat(events.slow()).singleElement().satisfies(slow -> {
            assertThat(slow.lost()).isEqualTo(3);
            assertThat(slow.waiting()).isEqualTo(BOUND);
            assertThat(slow.lostAgo()).isEqualTo(Duration.ofSeconds(4));
            assertThat(slow.inCall()).isZero();
        });
        threads.remove().run();
        events.emit(event(BOUND + 3));
        threads.remove().run();
        assertThat(heard).hasSize(BOUND + 1).startsWith(event(0), event(1)).endsWith(event(BOUND + 3));
        assertThat(events.failures().all()).as("it has not failed").isEmpty();
    }

    @Test
    @DisplayName("O5: for how long a listener has been in its call is reported, and by which thread, until it returns")
    void inCall() {
        List<SlowListener> seen = new ArrayList<>();
        List<EventStream> self = new ArrayList<>();
        EventStream events = to(event -> {
            nanos += Duration.ofSeconds(95).toNanos();
            seen.addAll(self.get(0).slow());
        });
        self.add(events);
        events.emit(event(1));
        threads.remove().run();
        assertThat(seen).singleElement().satisfies(slow -> {
            assertThat(slow.inCall()).isEqualTo(Duration.ofSeconds(95));
            assertThat(slow.thread()).isEqualTo(Thread.currentThread().getName());
            assertThat(slow.name()).contains("EventStreamTest");
        });
        assertThat(events.slow()).isEmpty();
    }

    @Test
    @DisplayName(
            "X1: who emits calls no listener; when the listeners were told everything is known by their own threads")
    void delivered() {
        List<SchedulerEvent> heard = new ArrayList<>();
        EventStream events = to(heard::add);
        for (int i = 0; i < 1_000; i++) {
            events.emit(event(i));
        }
        CompletableFuture<Void> delivered = events.delivered();
        assertThat(heard).isEmpty();
        assertThat(delivered).isNotDone();
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        assertThat(heard).hasSize(1_000);
        assertThat(delivered).isDone();
    }

    @Test
    @DisplayName(
            "X1: a listener in whose call more is emitted is told that later, in its order; then all was delivered")
    void emittedInACall() {
        List<SchedulerEvent> heard = new ArrayList<>();
        List<CompletableFuture<Void>> delivered = new ArrayList<>();
        List<EventStream> self = new ArrayList<>();
        EventStream events = to(event -> {
            heard.add(event);
            if (event.equals(event(1))) {
                self.get(0).emit(event(2));
                delivered.add(self.get(0).delivered());
                assertThat(delivered.get(0)).isNotDone();
                assertThat(heard).containsExactly(event(1));
            }
        });
        self.add(events);
        events.emit(event(1));
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        assertThat(heard).containsExactly(event(1), event(2));
        assertThat(delivered).singleElement().satisfies(end -> assertThat(end).isDone());
        assertThat(events.failures().all()).isEmpty();
    }

    @Test
    @DisplayName("X2: who emits does not notice that a listener has no thread; it is told with the next event")
    void noThread() {
        List<SchedulerEvent> heard = new ArrayList<>();
        EventStream events = to(heard::add);
        refusals = 1;
        events.emit(event(1));
        assertThat(threads).isEmpty();
        assertThat(events.failures().all()).hasSize(1);
        events.emit(event(2));
        threads.remove().run();
        assertThat(heard).containsExactly(event(1), event(2));
    }
}
