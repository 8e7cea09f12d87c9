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
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
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
}
