package dev.almanac.metrics;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs, and what is found in place of a run. Of a job only its type's name becomes a tag. */
final class RunMeters {
    /** Types are registered in code, so there are few; should there be more, the rest shares one name. */
    static final int MOST_TYPES = 100;

    static final String OTHER = "other";

    private final Meters meters;
    private final Map<String, String> types = new ConcurrentHashMap<>();
    private final Map<String, Counter> outcomes = new ConcurrentHashMap<>();
    private final Map<String, Timer> durations = new ConcurrentHashMap<>();
    private final Map<String, Counter> retries = new ConcurrentHashMap<>();
    private final Map<String, Counter> failures = new ConcurrentHashMap<>();
    private final Timer lateness;
    private final Counter late;
    private final Counter recovered;
    private final Counter missed;
    private final Counter tooLate;

    RunMeters(Meters meters) {
        this.meters = meters;
        this.lateness = meters.distribution(
                "almanac.lateness",
                "Start of a run minus its planned start; for a retry, the planned start of the retry");
        this.late = meters.counter("almanac.runs.late", "Runs handed to lateExecute");
        this.recovered = meters.counter("almanac.runs.recovered", "Runs of lost claims that were taken over");
        this.missed = meters.counter("almanac.fires.missed", "Planned fires that passed without a run");
        this.tooLate = meters.counter("almanac.fires.too.late", "Missed fires whose start deadline was over");
    }

    void started(SchedulerEvent.RunStarted run) {
        if (run.lateness() != null) {
            lateness.record(run.lateness());
        }
        if (run.late()) {
            late.increment();
        }
    }

    void ended(SchedulerEvent.RunEnded run) {
        String type = bounded(run.type());
        String good = String.valueOf(run.good());
        durations
                .computeIfAbsent(
                        type + ' ' + good,
                        key -> meters.timer(
                                "almanac.run.duration", "How long helpers take", "type", type, "good", good))
                .record(run.duration());
    }

    void recorded(SchedulerEvent.RunRecorded run) {
        String type = bounded(run.type());
        JobExecutionStatus row = run.row();
        String outcome = row.outcome().name();
        outcomes.computeIfAbsent(
                        type + ' ' + outcome,
                        key -> meters.counter(
                                "almanac.runs",
                                "Status rows of claims: how runs ended, or what was found in their place",
                                "type",
                                type,
                                "outcome",
                                outcome))
                .increment();
        if (row.outcome() == Outcome.ATTEMPT_FAILED) {
            if (!row.manual() && row.nextFireTime() != null) {
                retries(type).increment();
            }
        } else if (row.isFailedFire()) {
            failures(type).increment();
        }
    }

    private Counter retries(String type) {
        return retries.computeIfAbsent(
                type,
                key -> meters.counter("almanac.retries", "Failed attempts that another attempt follows", "type", type));
    }

    private Counter failures(String type) {
        return failures.computeIfAbsent(
                type, key -> meters.counter("almanac.failures", "Fires that failed for good", "type", type));
    }

    void recovered() {
        recovered.increment();
    }

    void missed(MissedFires fires) {
        missed.increment(fires.count());
        if (fires.reason() == MissedFires.Reason.TOO_LATE) {
            tooLate.increment(fires.count());
        }
    }

    private String bounded(String type) {
        String known = types.get(type);
        if (known != null) {
            return known;
        }
        return types.size() < MOST_TYPES ? types.computeIfAbsent(type, name -> name) : OTHER;
    }
}
