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
 * Stores the follow-ups of a run whose verdict is durable. Their ids are made of the job, the claim of the verdict, and
 * the position, so that storing one again, on any node and however late, changes nothing. Thread-safe.
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
     * @param again whether some of them may be stored already
     * @return the reasons of those that were refused, in order
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

    /** Stores one follow-up; if it is refused for good, the others are stored and the job is completed all the same. */
    private void insert(String id, JobSpecification followUp, String parent, List<String> refusals) {
        try {
            if (!registrar.insert(RequestDecider.createFollowUp(
                    id, accepted(followUp), parent, node.clock().begin(), node.context()))) {
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

    /** The accepted follow-up; a moment that passed during the run is no problem. */
    private SpecificationCheck.Accepted accepted(JobSpecification followUp) {
        JobSpecification known = followUp.isRecurring()
                ? null
                : followUp.toBuilder().calendarsOnSingle(true).build();
        SpecificationCheck.Accepted accepted =
                check.accept(followUp, node.clock().now(), known);
        if (accepted.firstFire() == null) {
            throw new IllegalArgumentException("calendars " + followUp.calendars() + " exclude its moment");
        }
        return accepted;
    }
}
