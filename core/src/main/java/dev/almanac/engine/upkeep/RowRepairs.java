package dev.almanac.engine.upkeep;

import dev.almanac.engine.port.HistoryWriter;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.HistoryFilter;
import dev.almanac.engine.rules.RowEnds;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Repairs what a crash has left out: the rows that documents show (rules P7, N4). */
final class RowRepairs {
    private final Node node;
    private final Duration tolerance;

    /** @param tolerance younger rows may be about to be written */
    RowRepairs(Node node, Duration tolerance) {
        this.node = node;
        this.tolerance = tolerance;
    }

    private boolean isOld(Instant time) {
        return !time.plus(tolerance).isAfter(node.clock().now());
    }

    /** Whether the row in {@code lastStatus} must be stored by now. */
    boolean isRowDue(StoredJob job) {
        return isDue(ShownRow.newestOf(job));
    }

    /** Whether a row that a document shows must be stored by now. */
    boolean isDue(ShownRow shown) {
        return isOld(shown.row().updatedTime())
                && HistoryFilter.isExpected(shown, node.clock().now());
    }

    /** Keeps stored rows on whose job does not go on as planned. */
    void keep(Collection<ShownRow> stored) {
        Instant now = node.clock().now();
        List<String> rows = stored.stream()
                .filter(shown -> !RowEnds.ofShown(shown, now).equals(shown.row().deleteTime()))
                .map(shown -> shown.row().id())
                .toList();
        if (!rows.isEmpty()) {
            node.store().keepRows(rows, now.plus(RowEnds.LEAST), now.plus(RowEnds.MORE));
        }
    }

    /** Writes the rows that the documents show; returns why the server refuses some of them, by their ids. */
    Map<String, WriteRefusedException> restore(List<StoredJob> jobs) {
        Instant now = node.clock().now();
        List<JobExecutionStatus> rows = jobs.stream()
                .flatMap(job -> ShownRow.of(job).stream())
                .filter(shown -> HistoryFilter.isExpected(shown, now))
                .map(shown -> shown.row().toBuilder()
                        .deleteTime(RowEnds.ofShown(shown, now))
                        .build())
                .toList();
        return HistoryWriter.apart(node.store(), rows);
    }
}
