package dev.almanac.engine.insight;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.OpenRun;
import dev.almanac.model.Pause;
import dev.almanac.model.StandingPause;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about a stored job when it is explained.
 *
 * @param job its document
 * @param rows its newest status rows, newest first
 * @param liveNodes the nodes that are live
 * @param holds the pauses that hold it back, with or without an end, also those that have ended
 * @param pauses all that stand; here the standbys of nodes matter
 * @param run the run of this node that is under way; absent if there is none
 * @param refusal why this node leaves the job to others; absent if it does not
 * @param group its exclusive group, and the other jobs that hold slots of it; absent if it has none
 * @param now the server's clock
 */
record ExplainerInput(
        StoredJob job,
        List<JobExecutionStatus> rows,
        List<NodeReport> liveNodes,
        List<Hold> holds,
        List<StandingPause> pauses,
        @Nullable OpenRun run,
        @Nullable String refusal,
        @Nullable GroupState group,
        Instant now) {

    /**
     * A pause that applies to the job.
     *
     * @param what is paused, as the end of a sentence: empty for the job itself, " with tag:x" for a kind of jobs
     * @param pause by whom, why, until when
     * @param since from when on; absent if that is not known
     */
    record Hold(String what, Pause pause, @Nullable Instant since) {
        boolean holdsAt(Instant now) {
            return pause.until() == null || pause.until().isAfter(now);
        }
    }

    /**
     * An exclusive group.
     *
     * @param stored its limits
     * @param holders the other jobs that hold slots of it
     */
    record GroupState(StoredGroup stored, List<StoredJob> holders) {}

    /** A node with its label. */
    String named(String node) {
        return liveNodes.stream()
                .filter(live -> live.id().equals(node))
                .findFirst()
                .map(live -> "node " + node + " (" + live.label() + ")")
                .orElse("node " + node + (liveNodes.isEmpty() ? "" : ", which has not reported lately,"));
    }

    /** The live nodes that run the command type of the job, on standby or not. */
    List<NodeReport> knowing() {
        return liveNodes.stream()
                .filter(node -> node.types().contains(job.command().type()))
                .toList();
    }

    /** How many live nodes run the command type of the job and are not on standby. */
    long supporting() {
        return knowing().stream().filter(node -> standby(node).isEmpty()).count();
    }

    /** The standby that holds a node back. */
    Optional<StandingPause> standby(NodeReport node) {
        return node.standby(now, pauses);
    }
}
