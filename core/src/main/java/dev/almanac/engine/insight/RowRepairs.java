package dev.almanac.engine.insight;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.rules.HistoryFilter;
import dev.almanac.engine.rules.Rows;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.Stamp;
import dev.almanac.store.StoreInspection.UnstampedRow;
import dev.almanac.store.StoreInspection.Why;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Repairs what a crash has left out: the newest row of a job (rule P7), and the ends of rows (rule P5). */
final class RowRepairs {
    private final Node node;
    private final Duration tolerance;

    /** @param tolerance younger rows may be about to be written */
    RowRepairs(Node node, Duration tolerance) {
        this.node = node;
        this.tolerance = tolerance;
    }

    boolean isOld(Instant time) {
        return !time.plus(tolerance).isAfter(node.clock().now());
    }

    /** Whether the row in {@code lastStatus} must be stored by now. */
    boolean isRowDue(StoredJob job) {
        return isOld(job.lastStatus().updatedTime())
                && HistoryFilter.isExpected(job, node.clock().now());
    }

    /**
     * Writes the rows that the documents show, the newest one with the {@code deleteTime} of its job; returns why the
     * server refuses some of them, by their ids.
     */
    Map<String, WriteRefusedException> restore(List<StoredJob> jobs) {
        return apart(
                jobs.stream().flatMap(this::restored).toList(),
                JobExecutionStatus::id,
                rows -> node.store().writeRows(rows, List.of()));
    }

    /** A row that the server refuses for good stops no other: what holds one is halved until that is alone (rule X9). */
    private static <T> Map<String, WriteRefusedException> apart(
            List<T> items, Function<T, String> row, Consumer<List<T>> write) {
        try {
            if (!items.isEmpty()) {
                write.accept(items);
            }
            return Map.of();
        } catch (WriteRefusedException e) {
            if (items.size() == 1) {
                return Map.of(row.apply(items.get(0)), e);
            }
            int half = items.size() / 2;
            Map<String, WriteRefusedException> refused = new HashMap<>(apart(items.subList(0, half), row, write));
            refused.putAll(apart(items.subList(half, items.size()), row, write));
            return refused;
        }
    }

    private Stream<JobExecutionStatus> restored(StoredJob job) {
        JobExecutionStatus last = job.lastStatus();
        Instant now = node.clock().now();
        Instant end = Rows.removalOfRestored(job, now);
        return Stream.concat(
                job.olderRows().stream()
                        .filter(row ->
                                HistoryFilter.isExpected(job.specification().history(), row, now)),
                Stream.of(last.toBuilder()
                        .deleteTime(end(end, last.author() != null))
                        .build()));
    }

    /**
     * Stamps rows as the node that wrote the newer row would have; rows without a job are only reported. Returns why the
     * server refuses some of them, by their ids.
     */
    Map<String, WriteRefusedException> stamp(List<UnstampedRow> rows) {
        Instant now = node.clock().now();
        Instant superseded = now.plus(node.retention().superseded());
        Instant failed = now.plus(node.retention().failed());
        List<UnstampedRow> known =
                rows.stream().filter(row -> row.why() != Why.ORPHANED).toList();
        Function<UnstampedRow, Stamp> stamp = row -> new Stamp(
                Objects.requireNonNull(end(
                        Objects.requireNonNullElse(row.deleteTime(), row.failed() ? failed : superseded),
                        row.requested())),
                row.id());
        return apart(
                known,
                UnstampedRow::id,
                some -> node.store()
                        .writeRows(List.of(), some.stream().map(stamp).toList()));
    }

    /** The rows of users' requests are kept for longer. */
    private @Nullable Instant end(@Nullable Instant planned, boolean requested) {
        Instant least = node.clock().now().plus(node.settings().requestRetention());
        return requested && planned != null && planned.isBefore(least) ? least : planned;
    }
}
