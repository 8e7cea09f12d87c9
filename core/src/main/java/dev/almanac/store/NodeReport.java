package dev.almanac.store;

import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.runtime.SchedulerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The report of a node about itself.
 *
 * @param id identity of this process start, never the host name
 * @param label host and process, for people
 * @param started when it started, by the server's clock
 * @param seen when it last reported, by the server's clock
 * @param zoneRules version of its time zone database
 * @param clockOffset server's clock minus its own
 * @param types command types that it claims; none while it is draining
 * @param runs how many claims it holds
 * @param slots how many it may hold at a time; 0 = unknown
 * @param fullTypes command types of which it holds as many claims as their own limits allow, so that it claims no more
 * @param minPriority the most urgent priority that it claims, 0 to 7
 * @param maxPriority the least urgent one, {@code minPriority} to 7
 * @param reasons why an operator should look at it, as found by itself; bounded in number and length, empty if there is
 *     none
 * @param claimsNothing why it claims nothing now although it runs, as found by itself; bounded in length, absent = it claims
 * @param stopped whether it was shut down by a drain: it claims nothing and holds no lease
 * @param silentAfter how long it counts as live without a further report: its own {@code nodeTimeout}, so that all judge alike
 */
public record NodeReport(
        String id,
        String label,
        Instant started,
        Instant seen,
        String zoneRules,
        Duration clockOffset,
        Set<String> types,
        int runs,
        int slots,
        Set<String> fullTypes,
        int minPriority,
        int maxPriority,
        List<String> reasons,
        @Nullable String claimsNothing,
        boolean stopped,
        Duration silentAfter) {
    /** Unless its settings say something else. */
    public static final Duration SILENT_AFTER = SchedulerSettings.defaults().nodeTimeout();

    /** Copies the reasons. */
    public NodeReport {
        reasons = List.copyOf(reasons);
    }

    /** The report of a running node without slots and reasons that claims every priority. */
    public NodeReport(
            String id,
            String label,
            Instant started,
            Instant seen,
            String zoneRules,
            Duration clockOffset,
            Set<String> types,
            int runs) {
        this(
                id,
                label,
                started,
                seen,
                zoneRules,
                clockOffset,
                types,
                runs,
                0,
                Set.of(),
                0,
                7,
                List.of(),
                null,
                false,
                SILENT_AFTER);
    }

    /** Whether it has reported lately, by its own measure, and was not shut down. */
    public boolean isLive(Instant now) {
        return !stopped && seen.isAfter(now.minus(silentAfter));
    }

    /** How many runs the live ones of these nodes have reported; what a silent one has reported is not counted. */
    public static long liveRuns(Collection<NodeReport> nodes, Instant now) {
        return nodes.stream()
                .filter(node -> node.isLive(now))
                .mapToLong(NodeReport::runs)
                .sum();
    }

    /** That these nodes have different versions of the time zone rules, in words; empty if they have the same. */
    public static Optional<String> differentZoneRules(Collection<NodeReport> live) {
        Set<String> rules = live.stream().map(NodeReport::zoneRules).collect(Collectors.toCollection(TreeSet::new));
        return rules.size() > 1
                ? Optional.of("the live nodes have different versions of the time zone rules: " + rules)
                : Optional.empty();
    }

    /** Whether it claims jobs of this command type and priority, while it claims at all ({@link #claims}). */
    public boolean takes(String type, int priority) {
        return types.contains(type) && priority >= minPriority && priority <= maxPriority;
    }

    /** How many claims of jobs of this command type it may take besides those that it holds, as far as is known. */
    public int free(String type) {
        return fullTypes.contains(type) ? 0 : Math.max(0, slots - runs);
    }

    /** The priorities that it claims, such as {@code 0 to 7}. */
    public String priorities() {
        return minPriority == maxPriority ? "" + minPriority : minPriority + " to " + maxPriority;
    }

    /** The state of a node, seen from outside. */
    public enum State {
        /** It reports, and claims jobs unless {@link NodeReport#claimsNothing} says why not. */
        LIVE,
        /** It reports; a pause keeps it from claiming. */
        STANDBY,
        /** It has not reported lately, and did not report that it stops. */
        SILENT,
        /** It was shut down. */
        STOPPED;

        /** As people read it: {@code live}, {@code standby}, {@code silent} or {@code stopped}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The state of the node.
     *
     * @param pauses those that stand; only a standby of this node matters
     */
    public State state(Instant now, Collection<StandingPause> pauses) {
        if (stopped) {
            return State.STOPPED;
        }
        if (!isLive(now)) {
            return State.SILENT;
        }
        return standby(now, pauses).isPresent() ? State.STANDBY : State.LIVE;
    }

    /**
     * Whether it claims jobs now: it is not on standby, and has not reported that it claims nothing.
     *
     * @param pauses those that stand; only a standby of this node matters
     */
    public boolean claims(Instant now, Collection<StandingPause> pauses) {
        return claimsNothing == null && standby(now, pauses).isEmpty();
    }

    /** The pause that keeps this node from claiming; empty if none is in force. */
    public Optional<StandingPause> standby(Instant now, Collection<StandingPause> pauses) {
        return pauses.stream()
                .filter(pause -> pause.isInForce(now))
                .filter(pause -> pause.scope() instanceof PauseScope.Node node && node.is(id, label))
                .findFirst();
    }

    /** The report of a node that claims nothing more: it takes no command type, and holds its leases. */
    public NodeReport draining() {
        return with(Set.of(), reasons, false);
    }

    /** The last report of a node that is shut down. */
    public NodeReport leaving() {
        return with(types, List.of(), true);
    }

    private NodeReport with(Set<String> taken, List<String> why, boolean left) {
        return new NodeReport(
                id,
                label,
                started,
                seen,
                zoneRules,
                clockOffset,
                taken,
                runs,
                slots,
                fullTypes,
                minPriority,
                maxPriority,
                why,
                claimsNothing,
                left,
                silentAfter);
    }
}
