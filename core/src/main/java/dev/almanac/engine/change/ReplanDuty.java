package dev.almanac.engine.change;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.node.Repetition;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.model.JobQuery;
import dev.almanac.runtime.Lane;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreException;
import dev.almanac.time.ZoneRulesVersion;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that plans follow the rules of zones (rule T6) and edits of calendars (rule C5). All jobs are looked at
 * only if nobody has done so with rules as new as this node's, or while nodes with older rules go on planning; a start
 * costs the same with any number of jobs otherwise (rule R11).
 */
public final class ReplanDuty {
    private static final Logger LOG = LoggerFactory.getLogger(ReplanDuty.class);

    private final Node node;
    private final Replanner replanner;
    private final FirePlanner planner;
    private final Supplier<List<NodeReport>> live;
    private final Reachability reachability;
    private final Lane lane;
    private final Repetition repetition;

    public ReplanDuty(
            Node node,
            Replanner replanner,
            FirePlanner planner,
            Supplier<List<NodeReport>> live,
            Reachability reachability,
            Lane lane) {
        this.node = node;
        this.replanner = replanner;
        this.planner = planner;
        this.live = live;
        this.reachability = reachability;
        this.lane = lane;
        this.repetition = new Repetition(lane, node.settings().replanInterval(), () -> quietly(this::checkZoneRules));
    }

    /** Checks regularly from now on. */
    public void start() {
        repetition.start();
    }

    public void stop() {
        repetition.stop();
    }

    /** Some of these stored calendars were edited by somebody. */
    public void calendarsEdited(Set<String> names) {
        lane.run(() -> quietly(() -> names.forEach(
                name -> replanner.replan(JobQuery.ofCalendar(name), job -> true, StoredCalendars.edited(name)))));
    }

    private void quietly(Runnable work) {
        try {
            work.run();
        } catch (StoreException e) {
            reachability.failed("planning jobs anew", e);
        }
    }

    /** Plans anew what was planned with other rules, if there may be any. */
    public void checkZoneRules() {
        String mine = ZoneRulesVersion.all();
        ClusterControl control = node.store().cluster().control();
        boolean newer = control.zoneRules() == null || mine.compareTo(control.zoneRules()) > 0;
        boolean olderNodes =
                live.get().stream().anyMatch(other -> other.zoneRules().compareTo(mine) < 0);
        if (!newer && !olderNodes) {
            return;
        }
        var result = replanner.replan(
                JobQuery.all(),
                job -> planner.hasOldRules(job.specification(), job.plan()),
                "the rules of its zone have changed");
        if (result.moved() > 0) {
            LOG.info("time zone rules {}: of {} jobs {} have another next fire", mine, result.looked(), result.moved());
        }
        if (newer) {
            node.store().cluster().checkedZoneRules(mine);
        }
    }
}
