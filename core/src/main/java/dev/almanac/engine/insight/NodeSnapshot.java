package dev.almanac.engine.insight;

import dev.almanac.engine.node.ContainedFailure;
import dev.almanac.engine.node.Stage;
import dev.almanac.model.OpenRun;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StuckRun;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.util.List;

/**
 * The state of a node, without a call of the store.
 *
 * @param stage how far it has come
 * @param rehydrated whether it claims, or has claimed
 * @param storeComplaint why the store does not answer; empty if it does
 * @param storeWarnings the warnings of the store when it was opened
 * @param clockOffset server's clock minus its own
 * @param clockWarning offset above which an operator should know
 * @param pauses of everything or of a command type, as this node last read them
 * @param liveNodes the nodes that were live at its last report
 * @param slots how many claims it may hold
 * @param noSlotFor for how long no slot has been free; zero if one is
 * @param open the runs that have not ended, oldest first
 * @param stuck the runs that are stuck
 * @param failures the failures that were contained
 */
public record NodeSnapshot(
        Stage stage,
        boolean rehydrated,
        String storeComplaint,
        List<String> storeWarnings,
        Duration clockOffset,
        Duration clockWarning,
        List<StandingPause> pauses,
        List<NodeReport> liveNodes,
        int slots,
        Duration noSlotFor,
        List<OpenRun> open,
        List<StuckRun> stuck,
        List<ContainedFailure> failures) {}
