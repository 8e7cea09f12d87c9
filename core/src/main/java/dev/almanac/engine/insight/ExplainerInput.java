package dev.almanac.engine.insight;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.OpenRun;
import dev.almanac.model.Pause;
import dev.almanac.model.StandingPause;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about a stored job when it is explained.
 *
 * @param job its document
 * @param rows its newest status rows, newest first
 * @param liveNodes the nodes that are live
 * @param holds the pauses that hold it back, with or without an end, also those that have ended or are planned
 * @param pauses all that stand; here the standbys of nodes matter
 * @param run the run of this node that is under way; absent if there is none
 * @param refusal why this node leaves the job to others; absent if it does not
 * @param group its exclusive group, and the other jobs that hold slots of it; absent if it has none
 * @param ahead what is claimed before it; absent if it is not due, or nothing keeps a node from claiming it
 * @param earlier the fire of its backfill that runs before it; absent if there is none
 * @param now the server's clock
 */
record ExplainerInput(
        StoredJob job,
        List<JobExecutionStatus> rows,
        List<NodeReport> liveNodes,
        List<Hold> holds,
        List<StandingPause> pauses,
        @Nullable OpenRun run,
        @Nullable Refusal refusal,
        @Nullable GroupState group,
        @Nullable Ahead ahead,
        @Nullable StoredJob earlier,
        Instant now) {

    /**
     * A pause that applies to the job.
     *
     * @param what is paused, as the end of a sentence: empty for the job itself, " with tag:x" for a kind of jobs
     * @param pause by whom, why, until when
     * @param since from when on; absent if that is not known
     */
    record Hold(String what, Pause pause, @Nullable Instant since) {
        boolean isOfKind() {
            return !what.isEmpty();
        }

        boolean holdsAt(Instant now) {
            return pause.isInForce(now);
        }

        /** Whether it begins later, and then holds a fire of that time back. */
        boolean willHold(@Nullable Instant fire, Instant now) {
            return fire != null && pause.isPlanned(now) && pause.isInForce(fire);
        }
    }

    /**
     * Why this node leaves the job to others.
     *
     * @param node its id
     */
    record Refusal(String node, String why) {}

    /**
     * An exclusive group.
     *
     * @param stored its limits
     * @param holders the other jobs that hold slots of it
     */
    record GroupState(StoredGroup stored, List<StoredJob> holders) {}

    /**
     * What is claimed before it.
     *
     * @param running jobs that the nodes hold which could claim it
     * @param urgent due jobs that these nodes claim first, since they are more urgent
     * @param more whether there are more of those
     */
    record Ahead(List<Kind> running, List<Kind> urgent, boolean more) {}

    /** Jobs of one kind. */
    record Kind(String type, int priority, long jobs) {
        /** The most frequent kinds first. */
        static <T> List<Kind> of(List<T> jobs, Function<T, String> type, ToIntFunction<T> priority) {
            return jobs.stream()
                    .collect(Collectors.groupingBy(
                            job -> new Kind(type.apply(job), priority.applyAsInt(job), 0), Collectors.counting()))
                    .entrySet()
                    .stream()
                    .map(kind -> new Kind(kind.getKey().type(), kind.getKey().priority(), kind.getValue()))
                    .sorted(Comparator.comparing(Kind::jobs)
                            .reversed()
                            .thenComparing(Kind::priority)
                            .thenComparing(Kind::type))
                    .toList();
        }
    }

    /** The same with what is claimed before it. */
    ExplainerInput with(Ahead first) {
        return new ExplainerInput(job, rows, liveNodes, holds, pauses, run, refusal, group, first, earlier, now);
    }

    /** Whether its lease is over without a recorded end. */
    boolean isLeaseOver() {
        return job.lease() != null && !job.isHeldAt(now);
    }

    /** Whether a pause can keep a node from the job: its own one does not hold back the recovery. */
    boolean decides(Hold hold) {
        return hold.isOfKind() || !isLeaseOver() && !job.isBeyondPause();
    }

    /** A node with its label. */
    String named(String node) {
        return liveNodes.stream()
                .filter(live -> live.id().equals(node))
                .findFirst()
                .map(live -> "node " + node + " (" + live.label() + ")")
                .orElse("node " + node + (liveNodes.isEmpty() ? "" : ", which has not reported lately,"));
    }

    /** The live nodes that run the command type of the job, whether they claim now or not. */
    List<NodeReport> knowing() {
        return liveNodes.stream()
                .filter(node -> node.types().contains(job.command().type()))
                .toList();
    }

    /** Those of them that take its priority, whether they claim now or not. */
    List<NodeReport> taking() {
        int priority = job.specification().priority();
        return liveNodes.stream()
                .filter(node -> node.takes(job.command().type(), priority))
                .toList();
    }

    /** Those of them that claim now. */
    List<NodeReport> claiming() {
        return taking().stream().filter(node -> node.claims(now, pauses)).toList();
    }

    /** Those of them that can claim the job: all but this one if it leaves the job to others. */
    List<NodeReport> supporting() {
        return claiming().stream()
                .filter(node -> refusal == null || !refusal.node().equals(node.id()))
                .toList();
    }

    /** The standby that holds a node back. */
    Optional<StandingPause> standby(NodeReport node) {
        return node.standby(now, pauses);
    }
}
