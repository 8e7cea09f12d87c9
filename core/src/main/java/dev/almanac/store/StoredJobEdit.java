package dev.almanac.store;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Progress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of {@link StoredJob#with}. Used by one thread within that call. */
public final class StoredJobEdit {
    private final String id;
    private JobSpecification specification;
    private @Nullable Instant due;
    private @Nullable Lease lease;
    private Sequences sequences;
    private FirePlan plan;
    private Requests requests;
    private Phase phase;
    private @Nullable JobExecutionStatus verdict;
    private List<JobSpecification> followUps;
    private @Nullable Blocked blocked;
    private JobExecutionStatus lastStatus;
    private List<JobExecutionStatus> olderRows;
    private Map<String, Object> state;
    private @Nullable Progress progress;
    private Revision revision;

    StoredJobEdit(StoredJob from) {
        id = from.id();
        specification = from.specification();
        due = from.due();
        lease = from.lease();
        sequences = from.sequences();
        plan = from.plan();
        requests = from.requests();
        phase = from.phase();
        verdict = from.verdict();
        followUps = from.followUps();
        blocked = from.blocked();
        lastStatus = from.lastStatus();
        olderRows = from.olderRows();
        state = from.state();
        progress = from.progress();
        revision = from.revision();
    }

    /** @see StoredJob#specification() */
    public StoredJobEdit specification(JobSpecification specification) {
        this.specification = specification;
        return this;
    }

    /** @see StoredJob#due() */
    public StoredJobEdit due(@Nullable Instant due) {
        this.due = due;
        return this;
    }

    /** @see StoredJob#lease() */
    public StoredJobEdit lease(@Nullable Lease lease) {
        this.lease = lease;
        return this;
    }

    /** @see StoredJob#sequences() */
    public StoredJobEdit sequences(Sequences sequences) {
        this.sequences = sequences;
        return this;
    }

    /** @see StoredJob#plan() */
    public StoredJobEdit plan(FirePlan plan) {
        this.plan = plan;
        return this;
    }

    /** @see StoredJob#requests() */
    public StoredJobEdit requests(Requests requests) {
        this.requests = requests;
        return this;
    }

    /** @see StoredJob#phase() */
    public StoredJobEdit phase(Phase phase) {
        this.phase = phase;
        return this;
    }

    /** Another verdict, or none; its follow-ups are those of the job. */
    public StoredJobEdit verdict(@Nullable JobExecutionStatus verdict) {
        this.verdict = verdict;
        followUps = List.of();
        return this;
    }

    /** @see StoredJob#followUps() */
    public StoredJobEdit followUps(List<JobSpecification> followUps) {
        this.followUps = List.copyOf(followUps);
        return this;
    }

    /** @see StoredJob#blocked() */
    public StoredJobEdit blocked(@Nullable Blocked blocked) {
        this.blocked = blocked;
        return this;
    }

    /** @see StoredJob#lastStatus() */
    public StoredJobEdit lastStatus(JobExecutionStatus lastStatus) {
        this.lastStatus = lastStatus;
        return this;
    }

    /** @see StoredJob#olderRows() */
    public StoredJobEdit olderRows(List<JobExecutionStatus> olderRows) {
        this.olderRows = List.copyOf(olderRows);
        return this;
    }

    /** @see StoredJob#state() */
    public StoredJobEdit state(Map<String, Object> state) {
        this.state = state;
        return this;
    }

    /** @see StoredJob#progress() */
    public StoredJobEdit progress(@Nullable Progress progress) {
        this.progress = progress;
        return this;
    }

    /** @see StoredJob#revision() */
    public StoredJobEdit revision(Revision revision) {
        this.revision = revision;
        return this;
    }

    StoredJob toJob() {
        return new StoredJob(
                id,
                specification,
                due,
                lease,
                sequences,
                plan,
                requests,
                phase,
                blocked,
                lastStatus,
                olderRows,
                state,
                progress,
                verdict,
                followUps,
                revision);
    }
}
