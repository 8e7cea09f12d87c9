package dev.almanac.testkit.contract;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobState;
import dev.almanac.model.Pause;
import dev.almanac.model.StoredFields;
import dev.almanac.store.Blocked;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.Phase;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What makes the state of a job (rule S21): a change of a waiting job for each state, in the order in which they count.
 * Written from the table in contributing/lifecycle.md, not from the code.
 */
public final class StateSpecimens {
    private StateSpecimens() {}

    /** The changes, in the order of the table; a job to which two of them are applied is in the earlier state. */
    public static Map<JobState, UnaryOperator<StoredJob>> changes(Instant now) {
        Map<JobState, UnaryOperator<StoredJob>> changes = new LinkedHashMap<>();
        changes.put(JobState.SUCCEEDED, job -> finished(job, ExecutionStatus.TRIGGERED, now));
        changes.put(JobState.FAILED, job -> finished(job, ExecutionStatus.FAILED, now));
        changes.put(JobState.CANCELED, job -> finished(job, ExecutionStatus.CANCELED, now));
        changes.put(JobState.RECOVERING, job -> leased(job, now, 0));
        changes.put(
                JobState.STORING_FOLLOW_UPS,
                job -> leased(job, now.plusMillis(1), 0)
                        .with(edit -> edit.phase(Phase.FOLLOW).verdict(job.lastStatus())));
        changes.put(JobState.RUNNING, job -> leased(job, now.plusMillis(1), 3));
        changes.put(JobState.CLAIMED, job -> leased(job, now.plusMillis(1), 0));
        changes.put(JobState.BLOCKED, job -> job.with(edit -> edit.blocked(Blocked.toRepair("because"))));
        changes.put(
                JobState.PAUSED,
                job -> job.with(
                        edit -> edit.requests(job.requests().withPause(new Pause("why", "who", now.plusMillis(1))))));
        changes.put(JobState.OWING, job -> job.with(edit -> edit.phase(Phase.FAILURE)));
        changes.put(
                JobState.RETRYING, job -> job.with(edit -> edit.plan(job.plan().retryAt(now.plusSeconds(60), null))));
        changes.put(JobState.SCHEDULED, job -> job);
        return changes;
    }

    /** Each pair of two changes applied to a job of its own, with a key that begins with the state. */
    static List<NewJob> pairs(Instant now) {
        List<NewJob> jobs = new ArrayList<>();
        List<Map.Entry<JobState, UnaryOperator<StoredJob>>> changes =
                List.copyOf(changes(now).entrySet());
        for (int first = 0; first < changes.size(); first++) {
            for (int second = first; second < changes.size(); second++) {
                String key =
                        changes.get(first).getKey() + "-" + changes.get(second).getKey();
                StoredJob plain = Specimens.minimal(key, now).job();
                StoredJob job = changes.get(first)
                        .getValue()
                        .apply(changes.get(second).getValue().apply(plain));
                jobs.add(new NewJob(job, job.lastStatus()));
            }
        }
        return jobs;
    }

    private static StoredJob finished(StoredJob job, ExecutionStatus status, Instant now) {
        return job.with(edit -> edit.specification(StoredFields.of(job.specification())
                        .deleteTime(now.plusSeconds(6_000))
                        .build())
                .due(null)
                .lease(null)
                .lastStatus(job.lastStatus().toBuilder().executionStatus(status).build()));
    }

    private static StoredJob leased(StoredJob job, Instant until, long started) {
        return job.with(edit -> edit.lease(new Lease("node", 7, until)).sequences(new Sequences(0, 3, 2, started)));
    }
}
