package dev.almanac.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReachabilityTest {
    private final AtomicReference<Reachability> reachability = new AtomicReference<>();
    private final AtomicReference<String> heard = new AtomicReference<>("");

    private Reachability with(SchedulerListener listener) {
        EventStream events = new EventStream(List.of(listener), TimeSource.system(), Runnable::run);
        reachability.set(new Reachability(new ServerClock(TimeSource.system(), events), events));
        return reachability.get();
    }

    @Test
    @DisplayName("O5: what health tells of the store does not wait for a listener that takes its time")
    void neverBlocks() {
        Reachability store = with(event -> {
            if (event instanceof SchedulerEvent.StoreUnreachable) {
                heard.set(CompletableFuture.supplyAsync(() -> reachability.get().complaint())
                        .orTimeout(3, TimeUnit.MINUTES)
                        .join());
            }
        });
        store.failed("looking", new StoreException("no answer", new RuntimeException("cut")));
        assertThat(heard.get()).startsWith("the store has not answered for ");
    }

    @Test
    @DisplayName("O4: an outage is told once, pauses grow to their bound, and the end is told once")
    void outage() {
        List<SchedulerEvent> events = new java.util.ArrayList<>();
        Reachability store = with(events::add);
        StoreException lost = new StoreException("no answer", new RuntimeException("cut"));
        assertThat(store.complaint()).isEmpty();
        assertThat(store.failed("a", lost).toMillis()).isEqualTo(100);
        assertThat(store.failed("b", lost).toMillis()).isEqualTo(200);
        for (int i = 0; i < 10; i++) {
            assertThat(store.failed("c", lost).toMillis()).isBetween(400L, 2_000L);
        }
        store.answered();
        store.answered();
        assertThat(store.complaint()).isEmpty();
        assertThat(events)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("StoreUnreachable", "StoreReachable");
        assertThat(store.failed("d", lost).toMillis()).as("it starts anew").isEqualTo(100);
    }
}
