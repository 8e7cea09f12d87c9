package dev.almanac.engine.insight;

import dev.almanac.engine.port.ContainedFailure;
import dev.almanac.engine.port.SlowCalendar;
import dev.almanac.engine.port.SlowListener;
import dev.almanac.engine.port.Stage;
import dev.almanac.engine.port.StoreComplaint;
import dev.almanac.engine.upkeep.OverdueTrend;
import dev.almanac.model.OpenRun;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StuckRun;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The state of a node that is read without a call of the store.
 *
 * @param stage how far it has come
 * @param inStage for how long it has been there; zero if it was not started
 * @param rehydrated whether it claims, or has claimed
 * @param storeWarnings the warnings of the store when it was opened
 * @param clockOffset server's clock minus its own
 * @param clockDistrusted for how long the server's time has not been known; zero if it is
 * @param clockWarning offset above which there is a warning
 * @param slots how many claims it may hold
 * @param failures what has failed where it is contained
 * @param listeners those that are in a call, or have lost events
 * @param history why the writer of status rows is to be looked at; empty if all is well
 * @param work the work in progress; nothing if it was not started
 */
public record NodeSnapshot(
        Stage stage,
        Duration inStage,
        boolean rehydrated,
        List<String> storeWarnings,
        Duration clockOffset,
        Duration clockDistrusted,
        Duration clockWarning,
        int slots,
        List<ContainedFailure> failures,
        List<SlowListener> listeners,
        String history,
        Work work) {
    /**
     * The work in progress of a started node.
     *
     * @param kernel why the kernel lets nothing be claimed; empty if it does
     * @param store what the store does not answer
     * @param pauses of everything or of a command type, as this node last read them
     * @param liveNodes the nodes that were live at its last report
     * @param noSlotFor for how long no slot has been free; zero if one is
     * @param open the runs that have not come to their end, the longest handed over first
     * @param stuck those of them that ought to have ended or begun, and claims that ought to be decided or written
     * @param outlived the ids of the jobs whose code goes on although their leases have expired
     * @param runs how many claims it holds
     * @param fullTypes command types of which it holds as many claims as their own limits allow
     * @param overdue how many jobs of its types were not claimed in time
     * @param unserved due jobs that no live node takes
     * @param missed planned fires that this node found, in the last minute, to have passed without a run
     * @param calendars those that do not return while jobs are planned
     */
    public record Work(
            String kernel,
            StoreComplaint store,
            List<StandingPause> pauses,
            List<NodeReport> liveNodes,
            Duration noSlotFor,
            List<OpenRun> open,
            List<StuckRun> stuck,
            Set<String> outlived,
            int runs,
            Set<String> fullTypes,
            OverdueTrend overdue,
            List<UnservedJobs> unserved,
            long missed,
            List<SlowCalendar> calendars) {
        /** Nothing is known. */
        public static final Work NONE = new Work(
                "",
                StoreComplaint.NONE,
                List.of(),
                List.of(),
                Duration.ZERO,
                List.of(),
                List.of(),
                Set.of(),
                0,
                Set.of(),
                OverdueTrend.NONE,
                List.of(),
                0,
                List.of());
    }
}
