package dev.almanac.engine.upkeep;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.PeriodicStep;
import dev.almanac.engine.port.Reachability;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.MissedFires;
import dev.almanac.runtime.Lane;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Counts what this node runs, from the events, and stores one small document for each minute in which something
 * happened: one write a minute under any load. The counts of the last minute are lost if the node is killed.
 * Thread-safe.
 */
public final class MinuteDuty implements SchedulerListener {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MOST_UNSENT = 60;

    private final Node node;
    private final Reachability reachability;
    private final PeriodicStep repetition;
    private final Map<String, Counts> types = new HashMap<>();
    /** Minutes that are over and that the store has not acknowledged, those of the last hour. */
    private final Queue<MinuteReport> unsent = new ConcurrentLinkedQueue<>();

    private long missed;
    private volatile long missedBefore;
    private Instant since;
    /** Before it no minute is reported: the estimate of the server's time may go back, and a minute has one report. */
    private Instant unreported = Instant.MIN;

    public MinuteDuty(Node node, Reachability reachability, Lane lane) {
        this.node = node;
        this.reachability = reachability;
        this.repetition = new PeriodicStep(lane, MINUTE, this::store);
        this.since = begin();
        node.events().add(this, false, MinuteDuty::counts);
    }

    /** Begins to store the counts, each minute. */
    public void start() {
        repetition.start();
    }

    /** Stores the remaining counts. */
    public void stop() {
        repetition.stop();
        store();
    }

    /** How many planned fires were found, in the last minute that is over, to have passed without a run. */
    public long missedInLastMinute() {
        return missedBefore;
    }

    private Instant begin() {
        return node.clock().now().truncatedTo(ChronoUnit.MINUTES);
    }

    /** Of one command type, until they are taken. */
    private static final class Counts {
        private final Map<String, Long> outcomes = new HashMap<>();
        private long failed;
        private long retries;
        private long late;
        private long missed;
        private long tooLate;
        private LatenessCounts lateness = LatenessCounts.NONE;

        void started(SchedulerEvent.RunStarted run) {
            retries += run.attempt() > 1 ? 1 : 0;
            late += run.late() ? 1 : 0;
            lateness = run.lateness() == null ? lateness : lateness.plus(run.lateness());
        }

        void recorded(JobExecutionStatus row) {
            outcomes.merge(row.outcome().name(), 1L, Long::sum);
            failed += row.isFailedFire() ? 1 : 0;
            MissedFires fires = row.missed();
            if (fires != null) {
                missed += fires.count();
                tooLate += fires.reason() == MissedFires.Reason.TOO_LATE ? fires.count() : 0;
            }
        }

        MinuteReport.OfType report() {
            return new MinuteReport.OfType(outcomes, failed, retries, late, missed, tooLate, lateness);
        }
    }

    private static boolean counts(SchedulerEvent event) {
        return event instanceof SchedulerEvent.RunStarted
                || event instanceof SchedulerEvent.RunRecorded
                || event instanceof SchedulerEvent.FiresMissed;
    }

    @Override
    public synchronized void on(SchedulerEvent event) {
        if (event instanceof SchedulerEvent.RunStarted run) {
            of(run.type()).started(run);
        } else if (event instanceof SchedulerEvent.RunRecorded run) {
            of(run.type()).recorded(run.row());
        } else if (event instanceof SchedulerEvent.FiresMissed fires) {
            missed += fires.missed().count();
        }
    }

    private Counts of(String type) {
        return types.computeIfAbsent(type, unknown -> new Counts());
    }

    private synchronized void take() {
        Map<String, MinuteReport.OfType> counted = new HashMap<>();
        types.forEach((type, counts) -> counted.put(type, counts.report()));
        MinuteReport taken = new MinuteReport(node.id(), since, counted, missed);
        types.clear();
        missedBefore = missed;
        missed = 0;
        if (!counted.isEmpty() || taken.missed() > 0) {
            unsent.add(taken);
            unreported = since.plus(MINUTE);
        }
        Instant now = begin();
        // a clock that was far ahead is not followed
        boolean repeated = now.isBefore(unreported) && unreported.isBefore(now.plus(MINUTE.multipliedBy(5)));
        since = repeated ? unreported : now;
    }

    private void store() {
        take();
        while (unsent.size() > MOST_UNSENT) {
            unsent.poll();
        }
        try {
            // one that was sent and not answered is sent again, which changes nothing
            for (MinuteReport next = unsent.peek(); next != null; next = unsent.peek()) {
                node.store().cluster().addMinute(next);
                unsent.remove(next);
            }
        } catch (StoreException e) {
            reachability.failed("storing what was run in a minute", e);
        }
    }
}
