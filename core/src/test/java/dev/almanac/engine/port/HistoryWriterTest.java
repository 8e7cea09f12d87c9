package dev.almanac.engine.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.engine.rules.Jobs;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FieldChange;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryWriterTest {
    private static final String LARGE = "x".repeat(1_000_000);

    private static final Map<String, UnaryOperator<JobExecutionStatusBuilder>> PARTS = Map.of(
            "command", row -> row.command(new EncodedCommand("note", 1, Map.of("text", LARGE))),
            "changes", row -> row.changes(List.of(new FieldChange("tags", LARGE, null))),
            "state", row -> row.state(Map.of("cursor", LARGE)),
            "detail", row -> row.detail(LARGE));

    /** Takes nothing: what is called on it never comes to pass. */
    private static <T> T idle(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType() == long.class ? 0L : null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"command", "changes", "state", "detail"})
    @DisplayName("N2: rows that wait are bounded in bytes, with all that may be large in them")
    void bytes(String part) {
        HistoryWriter writer = new HistoryWriter(
                idle(JobStore.class),
                idle(TimeSource.class),
                new ContainedFailures(idle(TimeSource.class)),
                idle(Lane.class));
        JobExecutionStatus row = Jobs.oneOff("j", Jobs.NOW).lastStatus();
        IntStream.range(0, 32)
                .forEach(i -> writer.add(List.of(
                        PARTS.get(part).apply(row.toBuilder().id("j:" + i)).build())));
        assertThat(writer.isBehind()).as("32 million bytes").isFalse();
        IntStream.range(32, 34)
                .forEach(i -> writer.add(List.of(
                        PARTS.get(part).apply(row.toBuilder().id("j:" + i)).build())));
        assertThat(writer.isBehind()).as("34 million").isTrue();
    }

    /**
     * Rows are written in an order: the lane has the first row under way until a flush has come for it, and the second
     * until the end of the test.
     */
    private static final class OrderedStore {
        private final CountDownLatch firstIsOnLane = new CountDownLatch(1);
        private final CountDownLatch flushHasCome = new CountDownLatch(1);
        private final CountDownLatch secondIsOnLane = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);
        private final Set<String> written = ConcurrentHashMap.newKeySet();
        private final Thread flushing = Thread.currentThread();

        private void write(List<JobExecutionStatus> rows) throws InterruptedException {
            boolean second = rows.stream().anyMatch(row -> row.id().equals("second"));
            if (Thread.currentThread() == flushing) {
                flushHasCome.countDown();
                secondIsOnLane.await();
            } else if (second) {
                secondIsOnLane.countDown();
                end.await();
            } else {
                firstIsOnLane.countDown();
                flushHasCome.await();
            }
            rows.forEach(row -> written.add(row.id()));
        }

        private JobStore way() {
            return (JobStore) Proxy.newProxyInstance(
                    JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                        write(((List<?>) arguments[0])
                                .stream().map(JobExecutionStatus.class::cast).toList());
                        return null;
                    });
        }
    }

    /** Each step on a thread of its own. */
    private static Lane threads(List<Thread> begun) {
        return (Lane) Proxy.newProxyInstance(
                Lane.class.getClassLoader(), new Class<?>[] {Lane.class}, (proxy, method, arguments) -> {
                    Thread thread =
                            Executors.defaultThreadFactory().newThread((Runnable) arguments[arguments.length - 1]);
                    thread.setDaemon(true);
                    begun.add(thread);
                    thread.start();
                    return null;
                });
    }

    @Test
    @DisplayName(
            "N2: a flush ends with all rows of earlier calls written, those included that the lane takes meanwhile")
    void flushBesideLane() throws InterruptedException {
        OrderedStore store = new OrderedStore();
        List<Thread> lane = new ArrayList<>();
        HistoryWriter writer = new HistoryWriter(
                store.way(), idle(TimeSource.class), new ContainedFailures(idle(TimeSource.class)), threads(lane));
        JobExecutionStatus row = Jobs.oneOff("j", Jobs.NOW).lastStatus();
        writer.add(List.of(row.toBuilder().id("first").build()));
        store.firstIsOnLane.await();
        writer.add(List.of(row.toBuilder().id("second").build()));
        writer.flush();
        assertThat(store.written).containsExactlyInAnyOrder("first", "second");
        assertThat(writer.waiting())
                .as("the call of the lane goes on, with rows that are written")
                .isZero();
        store.end.countDown();
        for (Thread thread : lane) {
            thread.join();
        }
        assertThat(writer.waiting()).isZero();
    }
}
