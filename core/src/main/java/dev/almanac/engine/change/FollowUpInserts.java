package dev.almanac.engine.change;

import dev.almanac.engine.node.JobIds;
import dev.almanac.engine.node.Node;
import dev.almanac.engine.rules.FollowUps;
import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.engine.rules.SpecificationCheck;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Stores the follow-ups of a run whose verdict is durable. The id of each is made of the job, the claim that the
 * verdict is of, and its place, so that storing it again changes nothing, whoever does it, and however late. Thread-safe.
 */
public final class FollowUpInserts {
    private final Node node;
    private final Registrar registrar;
    private final Admission check;
    private final RequestDecider decider;

    /** @param registrar writes to the store itself, without others that share its inserts */
    public FollowUpInserts(Node node, Registrar registrar, Admission check, RequestDecider decider) {
        this.node = node;
        this.registrar = registrar;
        this.check = check;
        this.decider = decider;
    }

    /**
     * @param job in its phase of follow-ups
     * @param again whether some of them may be stored already
     * @return why some were refused, in their order
     * @throws StoreException if it is not known whether all of them are stored
     */
    public List<String> insert(StoredJob job, boolean again) {
        JobExecutionStatus verdict = Objects.requireNonNull(job.verdict());
        List<JobSpecification> followUps = FollowUps.of(job.specification(), verdict);
        List<String> ids = new ArrayList<>();
        for (int place = 0; place < followUps.size(); place++) {
            ids.add(JobIds.after(verdict.updatedTime(), job.id() + ":" + verdict.claimSeq() + ":" + place));
        }
        boolean another = verdict.claimSeq() != job.sequences().claimSeq();
        Set<String> there = again || another
                ? node.store().load(ids).stream().map(StoredJob::id).collect(Collectors.toSet())
                : Set.of();
        List<String> refusals = new ArrayList<>();
        for (int place = 0; place < ids.size(); place++) {
            if (!there.contains(ids.get(place))) {
                insert(
                        ids.get(place),
                        FollowUps.filledIn(followUps.get(place), job.specification(), verdict),
                        job.key(),
                        refusals);
            }
        }
        return refusals;
    }

    /** One that is refused for good keeps no other from being stored, and the job from going on even less. */
    private void insert(String id, JobSpecification followUp, String parent, List<String> refusals) {
        try {
            if (!registrar.insert(decider.createFollowUp(
                    id, accepted(followUp), parent, node.clock().begin(), node.moment()))) {
                refusals.add(
                        "follow-up '" + followUp.jobSpecificationKey() + "' was not stored: a live job has that key");
            }
        } catch (WriteRefusedException e) {
            refusals.add(refused(followUp, e));
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            refusals.add(refused(followUp, e));
        }
    }

    private static String refused(JobSpecification followUp, RuntimeException e) {
        return "follow-up '" + followUp.jobSpecificationKey() + "' was not stored: " + e.getMessage();
    }

    /** A moment that has passed until the run has ended is late, and no mistake. */
    private SpecificationCheck.Accepted accepted(JobSpecification followUp) {
        return check.accept(followUp, node.clock().now(), followUp.isRecurring() ? null : followUp);
    }
}
