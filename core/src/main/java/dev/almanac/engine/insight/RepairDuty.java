package dev.almanac.engine.insight;

import dev.almanac.engine.node.JobPages;
import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.PeriodicStep;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.rules.HistoryFilter;
import dev.almanac.runtime.Lane;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoreInspection.Page;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoreInspection.UnstampedRow;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks slowly through all jobs and all rows, and repairs what {@code checkInvariants} would, so that it is not necessary to run
 * it. One node at a time has the turn, which is stored with the position of the next page; if two nodes had it, rows
 * would be written twice under one id, which changes nothing. A page is 1 000 jobs or rows, one page every 10 s: three
 * operations.
 */
public final class RepairDuty {
    private static final Logger LOG = LoggerFactory.getLogger(RepairDuty.class);
    private static final String NAME = "repair";
    private static final String REPAIRING = "repairing rows";
    private static final String JOBS = "jobs ";
    private static final String ROWS = "rows ";
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    /** How long the turn of a node that has died lasts. */
    private static final Duration TURN = Duration.ofSeconds(35);
    /** The pause between two passes. */
    private static final Duration REST = Duration.ofMinutes(5);
    /** Younger rows are not missing: their writer may wait for a store that does not answer. */
    private static final Duration TOLERANCE = Duration.ofMinutes(10);

    private static final int PAGE = 1_000;

    private final Node node;
    private final Reachability reachability;
    private final PeriodicStep repetition;
    private final RowRepairs repairs;
    /** Where the next page begins; absent = at the stored position. */
    private @Nullable String place;

    private Instant restsUntil = Instant.MIN;

    /** @param lane where it reads */
    public RepairDuty(Node node, Reachability reachability, Lane lane) {
        this.node = node;
        this.reachability = reachability;
        this.repairs = new RowRepairs(node, TOLERANCE);
        this.repetition = new PeriodicStep(lane, INTERVAL, this::step);
    }

    /** Does nothing on a store without {@code StoreInspection}. */
    public void start() {
        if (node.store() instanceof StoreInspection) {
            repetition.start();
        }
    }

    public void stop() {
        repetition.stop();
    }

    private void step() {
        Instant now = node.clock().now();
        if (now.isBefore(restsUntil) || !(node.store() instanceof StoreInspection inspection)) {
            return;
        }
        String known = place;
        place = null;
        try {
            boolean passed = JOBS.equals(known);
            Instant until = now.plus(passed ? REST : TURN);
            restsUntil = passed ? until : Instant.MIN;
            String begin = node.store().cluster().takeTurn(NAME, node.id(), now, until, known);
            if (begin != null && !passed) {
                place = begin.startsWith(ROWS)
                        ? rows(inspection, begin)
                        : jobs(inspection, begin.startsWith(JOBS) ? begin : JOBS);
            }
        } catch (StoreException e) {
            reachability.failed(REPAIRING, e);
        } catch (RuntimeException | Error e) {
            node.events().contained().add(REPAIRING, e);
        }
    }

    private String jobs(StoreInspection inspection, String begin) {
        String after = begin.substring(JOBS.length());
        Page<ShownRow> page = inspection.newestRows(after.isEmpty() ? null : after, PAGE);
        Map<String, ShownRow> due = page.items().stream()
                .filter(this::isDue)
                .collect(Collectors.toMap(shown -> shown.row().id(), Function.identity(), (one, other) -> one));
        List<ShownRow> missing = due.isEmpty()
                ? List.of()
                : inspection.missingRows(due.keySet()).stream().map(due::get).toList();
        JobPages.parts(missing).forEach(this::restore);
        return page.next() == null ? ROWS : JOBS + page.next();
    }

    private boolean isDue(ShownRow shown) {
        return repairs.isOld(shown.row().updatedTime())
                && HistoryFilter.isExpected(
                        shown.history(), shown.row(), node.clock().now());
    }

    /**
     * Restores missing rows from the documents as they are now; a job that was changed since has written the row
     * itself.
     */
    private void restore(List<ShownRow> missing) {
        Set<String> rows = missing.stream().map(shown -> shown.row().id()).collect(Collectors.toSet());
        List<StoredJob> jobs = node
                .store()
                .load(missing.stream().map(ShownRow::jobId).toList())
                .stream()
                .filter(job -> job.shownRows().stream().anyMatch(row -> rows.contains(row.id())))
                .toList();
        int refused = told(repairs.restore(jobs));
        LOG.info("{} rows that were left out, as by a crash, have been written again", jobs.size() - refused);
    }

    /** What the server refuses is tried again with the next pass; {@code checkInvariants} names it. */
    private int told(Map<String, WriteRefusedException> refused) {
        refused.values().forEach(e -> node.events().contained().add(REPAIRING, e));
        return refused.size();
    }

    private String rows(StoreInspection inspection, String begin) {
        String after = begin.substring(ROWS.length());
        Page<UnstampedRow> page = inspection.unstampedRows(after.isEmpty() ? null : after, PAGE);
        told(repairs.stamp(
                page.items().stream().filter(row -> repairs.isOld(row.since())).toList()));
        return page.next() == null ? JOBS : ROWS + page.next();
    }
}
