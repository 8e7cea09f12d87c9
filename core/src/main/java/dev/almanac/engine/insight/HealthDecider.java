package dev.almanac.engine.insight;

import dev.almanac.engine.port.ContainedFailure;
import dev.almanac.engine.port.SlowCalendar;
import dev.almanac.engine.port.SlowListener;
import dev.almanac.engine.port.Stage;
import dev.almanac.engine.port.StoreComplaint;
import dev.almanac.engine.upkeep.BacklogDuty;
import dev.almanac.engine.upkeep.OverdueTrend;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Why a node is not UP (rule O5): reasons for DOWN, when it runs nothing, and for DEGRADED, when an operator should
 * look. Pure functions.
 */
public final class HealthDecider {
    /** With all slots taken for so long, nothing that is due is run here. */
    private static final Duration LONG_WITHOUT_SLOT = Duration.ofMinutes(1);
    /** For how long lost events of a listener, and failures of the service's own code, are reported. */
    private static final Duration RECENT = Duration.ofMinutes(5);
    /** A measurement takes a round trip. */
    private static final Duration LONG_WITHOUT_TIME = Duration.ofSeconds(5);
    /** A node is rehydrated a moment after its start, unless its service is to order that. */
    private static final Duration LONG_START = Duration.ofSeconds(10);
    /** A drain of a rolling deployment is shorter, and told to none: other nodes run what is due. */
    private static final Duration LONG_DRAIN = Duration.ofMinutes(1);
    /** A listener ought to be quick. */
    private static final Duration LONG_CALL = Duration.ofSeconds(10);

    private static final int MOST_NAMED = 5;

    private HealthDecider() {}

    /** Why an operator should look, though jobs are run. */
    public static List<String> degraded(NodeSnapshot snapshot) {
        List<String> reasons = new ArrayList<>();
        NodeReport.differentZoneRules(snapshot.work().liveNodes()).ifPresent(reasons::add);
        snapshot.work()
                .pauses()
                .forEach(pause -> reasons.add((pause.isOfNode() ? "it is on standby" : pause.scope() + " is paused")
                        + " since " + pause.begins() + " by "
                        + pause.pause().author() + ": " + pause.pause().reason()));
        unserved(snapshot, reasons);
        reasons.addAll(ofNode(snapshot));
        snapshot.storeWarnings().forEach(warning -> reasons.add("the store warns: " + warning));
        return List.copyOf(reasons);
    }

    /**
     * What the node reports to others as the reason why it claims nothing though it is there; empty if it claims, also if it
     * has been unable to for a moment only, as the reasons of its health.
     */
    public static Optional<String> claimsNothing(NodeSnapshot snapshot) {
        String behind = snapshot.history();
        return Stream.concat(idle(snapshot).stream(), Stream.of(behind).filter(why -> !why.isEmpty()))
                .findFirst();
    }

    /** What the node reports to others: why it runs nothing though it is there, and what only it can find. */
    public static List<String> reported(NodeSnapshot snapshot) {
        List<String> reasons = new ArrayList<>(idle(snapshot));
        reasons.addAll(ofNode(snapshot));
        return List.copyOf(reasons);
    }

    private static List<String> idle(NodeSnapshot snapshot) {
        List<String> reasons = new ArrayList<>();
        Duration since = snapshot.inStage();
        if (snapshot.stage() == Stage.DRAINED && since.compareTo(LONG_DRAIN) >= 0) {
            reasons.add("it has been draining for " + since.toSeconds() + " s: it claims nothing, and ends its runs");
        } else if (snapshot.stage() == Stage.STARTED && !snapshot.rehydrated() && since.compareTo(LONG_START) >= 0) {
            reasons.add("it was started " + since.toSeconds()
                    + " s ago and is not rehydrated, and claims nothing until it is");
        }
        failing(snapshot, reasons);
        return reasons;
    }

    /** Bounded in number. */
    private static List<String> ofNode(NodeSnapshot snapshot) {
        List<String> reasons = new ArrayList<>();
        if (snapshot.clockOffset().abs().compareTo(snapshot.clockWarning()) > 0) {
            reasons.add("the server's clock differs from this node's by " + snapshot.clockOffset());
        }
        StoreComplaint store = snapshot.work().store();
        if (!store.isDown() && !store.reason().isEmpty()) {
            reasons.add(store.reason());
        }
        if (!snapshot.history().isEmpty()) {
            reasons.add(snapshot.history());
        }
        runs(snapshot, reasons);
        backlog(snapshot, reasons);
        calendars(snapshot.work().calendars(), reasons);
        listeners(snapshot.listeners(), reasons);
        failures(snapshot, reasons);
        return List.copyOf(reasons);
    }

    /** Why it runs nothing; empty if it runs jobs. */
    public static List<String> down(NodeSnapshot snapshot) {
        List<String> down = new ArrayList<>();
        if (snapshot.stage() == Stage.NEW) {
            down.add("it is not started; it schedules jobs and runs none");
        } else if (snapshot.stage() != Stage.STARTED) {
            down.add("it was drained and claims no more");
        } else if (!snapshot.rehydrated()) {
            down.add("it is not rehydrated, and claims nothing until it is");
        }
        failing(snapshot, down);
        return List.copyOf(down);
    }

    /** Why it runs nothing though it ought to: DOWN by itself, and told to others. */
    private static void failing(NodeSnapshot snapshot, List<String> reasons) {
        if (!snapshot.work().kernel().isEmpty()) {
            reasons.add(snapshot.work().kernel());
        }
        if (snapshot.work().store().isDown()) {
            reasons.add(snapshot.work().store().reason());
        }
        Duration distrusted = snapshot.clockDistrusted();
        if (snapshot.stage() == Stage.STARTED && distrusted.compareTo(LONG_WITHOUT_TIME) >= 0) {
            reasons.add("it claims and starts nothing: the server's time has not been measured for "
                    + distrusted.toSeconds() + " s, since a clock was set or the server answers too slowly");
        }
    }

    private static void runs(NodeSnapshot snapshot, List<String> reasons) {
        if (snapshot.work().noSlotFor().compareTo(LONG_WITHOUT_SLOT) >= 0) {
            reasons.add("all " + snapshot.slots() + " slots are taken and none has become free for "
                    + snapshot.work().noSlotFor().toSeconds() + " s");
        }
        snapshot.work().stuck().stream().limit(MOST_NAMED).forEach(stuck -> reasons.add(stuck.why()));
        int more = snapshot.work().stuck().size() - MOST_NAMED;
        if (more > 0) {
            reasons.add(more + " more runs are stuck; stuckRuns() lists them");
        }
    }

    /** One reason: how much waits, whether that grows, and how many fires were missed meanwhile. */
    private static void backlog(NodeSnapshot snapshot, List<String> reasons) {
        OverdueTrend overdue = snapshot.work().overdue();
        if (!overdue.isLarge()) {
            return;
        }
        String more = overdue.jobs() >= BacklogDuty.COUNTED ? " or more" : "";
        String trend = overdue.grows()
                ? behind(snapshot) + ": " + overdue.apart().toSeconds() + " s before, it was "
                        + overdue.oldestBefore().toSeconds() + " s"
                : "this does not grow";
        String missed = snapshot.work().missed() == 0
                ? ""
                : "; " + snapshot.work().missed()
                        + " planned fires passed without a run, as seen by this node in the last minute";
        reasons.add(overdue.jobs() + more + " jobs of its command types have been due for "
                + BacklogDuty.OVERDUE.toSeconds() + " s or longer, the oldest for "
                + overdue.oldest().toSeconds() + " s; " + trend + missed);
    }

    /** With free slots it is not their number that delays the jobs. */
    private static String behind(NodeSnapshot snapshot) {
        int free = snapshot.slots() - snapshot.work().runs();
        Set<String> full = snapshot.work().fullTypes();
        return free <= 0
                ? "the nodes fall behind"
                : "this grows although " + free + " of this node's " + snapshot.slots() + " slots are free"
                        + (full.isEmpty()
                                ? ""
                                : " (the limits of its command types " + new TreeSet<>(full) + " are reached)");
    }

    /** The same on every node, so that no node reports it to others. */
    private static void unserved(NodeSnapshot snapshot, List<String> reasons) {
        List<UnservedJobs> found =
                snapshot.work().unserved().stream().filter(UnservedJobs::isLong).toList();
        found.stream().limit(MOST_NAMED).forEach(jobs -> reasons.add(jobs.words()));
        if (found.size() > MOST_NAMED) {
            reasons.add((found.size() - MOST_NAMED) + " more command types or priorities are taken by no live node;"
                    + " checkInvariants() lists them");
        }
    }

    private static void calendars(List<SlowCalendar> calendars, List<String> reasons) {
        calendars.stream()
                .limit(MOST_NAMED)
                .forEach(slow -> reasons.add("the calendars " + slow.calendars() + " of job '" + slow.job()
                        + "' have been in one call for " + slow.inCall().toSeconds() + " s, on thread '"
                        + slow.thread() + "'; jobs that use them are not planned again here until it returns"));
    }

    private static void listeners(List<SlowListener> listeners, List<String> reasons) {
        listeners.stream()
                .filter(slow -> slow.inCall().compareTo(LONG_CALL) >= 0)
                .limit(MOST_NAMED)
                .forEach(slow -> reasons.add("listener " + slow.name() + " has been in one call for "
                        + slow.inCall().toSeconds() + " s, on thread '" + slow.thread() + "'; " + slow.waiting()
                        + " events wait for it"));
        listeners.stream()
                .filter(slow -> slow.lost() > 0 && slow.lostAgo().compareTo(RECENT) < 0)
                .limit(MOST_NAMED)
                .forEach(slow -> reasons.add("listener " + slow.name() + " is too slow: " + slow.lost()
                        + " events were left out, the last " + slow.lostAgo().toSeconds() + " s ago"));
    }

    private static void failures(NodeSnapshot snapshot, List<String> reasons) {
        List<ContainedFailure> recent = snapshot.failures().stream()
                .filter(failure -> failure.ago().compareTo(RECENT) < 0)
                .toList();
        recent.stream()
                .limit(MOST_NAMED)
                .forEach(failure -> reasons.add(failure.what() + " has failed " + times(failure.count()) + ", last "
                        + failure.ago().toSeconds() + " s ago"));
        if (recent.size() > MOST_NAMED) {
            reasons.add(
                    (recent.size() - MOST_NAMED) + " more kinds of contained failures; the log has the first of each");
        }
    }

    private static String times(long count) {
        return count == 1 ? "once" : count + " times";
    }
}
