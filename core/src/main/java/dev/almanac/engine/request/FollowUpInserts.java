package dev.almanac.engine.request;

import dev.almanac.engine.port.JobIds;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.FollowUps;
import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.engine.rules.SpecificationCheck;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores the follow-ups of a run whose verdict is durable. Their ids are made of the job, the claim of the verdict,
 * and their key, so that storing one again, on any node and however late, changes nothing: a finished one is kept
 * for two days at least. One that was refused because its key was taken may still come late, once. Thread-safe.
 */
public final class FollowUpInserts {
    private final Node node;
    private final Registrar registrar;
    private final Admission check;

    /** @param registrar writes to the store directly, without shared inserts */
    public FollowUpInserts(Node node, Registrar registrar, Admission check) {
        this.node = node;
        this.registrar = registrar;
        this.check = check;
    }

    /**
     * @param job a job in the phase FOLLOW
     * @param repeated whether some of them may be stored already
     * @return the reasons of those that were refused, in order
     * @throws StoreException if it is not known whether all of them are stored
     * @throws RuntimeException the first that the store has thrown and that is no refusal; the others were tried
     */
    public List<String> insert(StoredJob job, boolean repeated) {
        JobExecutionStatus verdict = Objects.requireNonNull(job.verdict());
        List<JobSpecification> followUps = FollowUps.owed(job, verdict);
        Map<String, JobSpecification> missing = new LinkedHashMap<>();
        for (JobSpecification followUp : followUps) {
            JobSpecification next = FollowUps.filledIn(followUp, job.specification(), verdict);
            String name = job.id() + ":" + verdict.claimSeq() + ":" + next.jobSpecificationKey();
            String id = JobIds.after(verdict.updatedTime(), name);
            // a second one of a key has an id of its own, so that its refusal is on record
            for (int same = 1; missing.containsKey(id); same++) {
                id = JobIds.after(verdict.updatedTime(), name + ":" + same);
            }
            missing.put(id, next);
        }
        if (repeated || verdict.claimSeq() != job.sequences().claimSeq()) {
            node.store().load(List.copyOf(missing.keySet())).forEach(stored -> missing.remove(stored.id()));
        }
        return insert(missing, job);
    }

    private List<String> insert(Map<String, JobSpecification> missing, StoredJob parent) {
        List<String> refusals = new ArrayList<>();
        RuntimeException unexpected = null;
        for (Map.Entry<String, JobSpecification> followUp : missing.entrySet()) {
            try {
                refusal(followUp.getKey(), followUp.getValue(), parent).ifPresent(refusals::add);
            } catch (StoreException e) {
                throw e;
            } catch (RuntimeException e) {
                unexpected = unexpected == null ? e : unexpected;
            }
        }
        if (unexpected != null) {
            throw unexpected;
        }
        return refusals;
    }

    /** Stores one follow-up, in the span of the run that it follows (rule S9); the reason if it is refused for good: the others are stored all the same. */
    private Optional<String> refusal(String id, JobSpecification followUp, StoredJob parent) {
        JobExecutionStatus verdict = Objects.requireNonNull(parent.verdict());
        try {
            check.learn(followUp);
            List<String> unknown = node.planner().calendarsOfOthers(followUp);
            if (!unknown.isEmpty()) {
                return missing(followUp, unknown, verdict);
            }
            SpecificationCheck.Accepted accepted = accepted(followUp);
            if (accepted.firstFire() == null) {
                return refused(followUp, "calendars " + followUp.calendars() + " exclude its moment");
            }
            String trace = parent.traceParent(verdict.manual() ? verdict.fireTime() : null);
            NewJob created = RequestDecider.createFollowUp(
                    id,
                    accepted,
                    parent.key(),
                    node.clock().begin(),
                    node.context().in(trace));
            if (!registrar.insert(created.withoutRow())) {
                return refused(followUp, "a live job has that key");
            }
            // the document shows its row: the end of the run waits for none (rule N2)
            node.history().add(Optional.ofNullable(created.row()).stream().toList());
            return Optional.empty();
        } catch (InvalidJobException | WriteRefusedException e) {
            return refused(followUp, e.getMessage());
        }
    }

    /** What follows it in turn was checked with the first job, and is checked again when it is stored itself. */
    private SpecificationCheck.Accepted accepted(JobSpecification followUp) {
        JobSpecification alone =
                followUp.toBuilder().onSuccess(List.of()).onFailure(List.of()).build();
        // a moment that passed during the run is no problem
        JobSpecification known = alone.isRecurring() ? null : alone;
        Admission.Prepared prepared = check.prepared(alone, node.clock().now(), known);
        return node.calendarCalls().ask(prepared.job(), prepared::accepted).followedAs(followUp);
    }

    /** @throws IllegalStateException as long as another node may have its calendars */
    private Optional<String> missing(JobSpecification followUp, List<String> unknown, JobExecutionStatus verdict) {
        String text = "this node does not know its calendars " + unknown;
        if (FollowUps.areLeftToOthers(verdict, node.clock().now())) {
            throw new IllegalStateException(text);
        }
        return refused(followUp, text);
    }

    private static Optional<String> refused(JobSpecification followUp, @Nullable String why) {
        return Optional.of("follow-up '" + followUp.jobSpecificationKey() + "' was not stored: " + why);
    }
}
