package dev.almanac.engine.upkeep;

import dev.almanac.engine.port.JobPages;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.PeriodicStep;
import dev.almanac.engine.port.Reachability;
import dev.almanac.runtime.Lane;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoreInspection.Page;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks slowly through all jobs, so that no crash needs a {@code checkInvariants} (rule N4): rows that documents show and
 * that are missing are written, which that call does at once for newest rows; those of jobs that do not go on as
 * planned are kept on; and plans that are older than the calendars that this node has read are made again (rule N9). One
 * node at a time has the turn, which is stored with the position of the next page; if two nodes
 * had it, rows would be written twice under one id, which changes nothing. A page is 1 000 jobs, one a second at most, two
 * operations each: 100 000 jobs in two minutes.
 */
public final class RepairDuty {
    private static final Logger LOG = LoggerFactory.getLogger(RepairDuty.class);
    private static final String NAME = "repair";
    private static final String REPAIRING = "repairing rows";
    private static final String JOBS = "jobs ";
    /** The place behind the last page. */
    private static final String END = "end";

    private static final Duration INTERVAL = Duration.ofSeconds(10);
    /** How long the turn of a node that has died lasts. */
    private static final Duration TURN = Duration.ofSeconds(35);
    /** The pause between two passes. */
    private static final Duration REST = Duration.ofMinutes(5);

    private static final int PAGE = 1_000;
    private static final int PAGES_OF_A_TURN = 10;
    private static final Duration BETWEEN = Duration.ofSeconds(1);

    private final Node node;
    private final Lane lane;
    private final Reachability reachability;
    private final PeriodicStep repetition;
    private final RowRepairs repairs;
    private final Consumer<List<String>> olderPlans;
    /** Where the next page begins; absent = at the stored position. */
    private @Nullable String place;

    /** By the monotonic clock. */
    private long restsUntil;

    /**
     * @param lane where it reads
     * @param olderPlans is notified of the ids of jobs whose plans are older than their calendars
     */
    public RepairDuty(Node node, Reachability reachability, Lane lane, Consumer<List<String>> olderPlans) {
        this.node = node;
        this.restsUntil = node.clock().nanos();
        this.olderPlans = olderPlans;
        this.lane = lane;
        this.reachability = reachability;
        // younger rows are not missing: their writer may be about to write them
        this.repairs = new RowRepairs(
                node, node.settings().leaseLength().plus(node.settings().margin()));
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
        if (node.clock().nanos() - restsUntil < 0 || !(node.store() instanceof StoreInspection inspection)) {
            return;
        }
        String known = place;
        place = null;
        safely(() -> turn(inspection, known));
    }

    private void turn(StoreInspection inspection, @Nullable String known) {
        boolean passed = END.equals(known);
        Instant now = node.clock().now();
        Instant until = now.plus(passed ? REST : TURN);
        if (passed) {
            restsUntil = node.clock().nanos() + REST.toNanos();
        }
        String begin = node.store().cluster().takeTurn(NAME, node.id(), now, until, known);
        if (begin != null && !passed) {
            place = page(inspection, begin.startsWith(JOBS) ? begin : JOBS);
            furtherPages(inspection);
        }
    }

    /** Spread over the time until the next step, so that no run is late for them; one that fails is done again by that. */
    private void furtherPages(StoreInspection inspection) {
        for (int i = 1; i < PAGES_OF_A_TURN && !END.equals(place); i++) {
            lane.after(BETWEEN.multipliedBy(i), () -> furtherPage(inspection));
        }
    }

    private void furtherPage(StoreInspection inspection) {
        String begin = place;
        if (!repetition.isActive() || begin == null || begin.equals(END)) {
            return;
        }
        place = null;
        safely(() -> place = page(inspection, begin));
    }

    private void safely(Runnable work) {
        try {
            work.run();
        } catch (StoreException e) {
            reachability.failed(REPAIRING, e);
        } catch (RuntimeException | Error e) {
            node.events().failures().add(REPAIRING, e);
        }
    }

    private String page(StoreInspection inspection, String begin) {
        String after = begin.substring(JOBS.length());
        Page<ShownRow> page = inspection.newestRows(after.isEmpty() ? null : after, PAGE);
        Map<String, ShownRow> due = page.items().stream()
                .filter(repairs::isDue)
                .collect(Collectors.toMap(shown -> shown.row().id(), Function.identity(), (one, other) -> one));
        Set<String> missing = due.isEmpty() ? Set.of() : inspection.missingRows(due.keySet());
        JobPages.parts(missing.stream().map(due::get).toList()).forEach(this::restore);
        due.keySet().removeAll(missing);
        repairs.keep(due.values());
        planAgain(page.items());
        return page.next() == null ? END : JOBS + page.next();
    }

    private void planAgain(List<ShownRow> page) {
        List<String> older = page.stream()
                .filter(shown -> node.planner().isOlder(shown.plannedBy()))
                .map(ShownRow::jobId)
                .distinct()
                .toList();
        if (!older.isEmpty()) {
            olderPlans.accept(older);
        }
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
        refused.values().forEach(e -> node.events().failures().add(REPAIRING, e));
        return refused.size();
    }
}
