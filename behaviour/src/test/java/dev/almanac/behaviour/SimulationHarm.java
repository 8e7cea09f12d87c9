package dev.almanac.behaviour;

import dev.almanac.runtime.TimeSource;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What was done to each node, and when. Only that excuses an abandoned claim, a lost lease or a late start: the judge asks
 * for the reason.
 */
final class SimulationHarm {
    /** Every node, as when the server is harmed. */
    static final int ALL = -1;
    /** What is slower is harmed. */
    private static final Duration SLOW = Duration.ofSeconds(1);
    /** The calls that keep a lease. */
    private static final Set<StoreCall> KEEPING = Set.of(StoreCall.RENEW, StoreCall.SERVER_TIME);
    /** A lease is renewed by the other way if one call hangs: it takes more to lose it. */
    private static final int CALLS_TO_LOSE_A_LEASE = 2;

    private final TimeSource time;
    private final List<Harm> harms = new ArrayList<>();

    /** @param keeping whether what keeps leases was harmed, and no other call */
    private record Harm(int node, Instant from, Instant to, boolean call, boolean keeping) {
        boolean overlaps(int other, Instant begin, Instant end) {
            return (node == ALL || node == other) && !from.isAfter(end) && !to.isBefore(begin);
        }
    }

    SimulationHarm(TimeSource time) {
        this.time = time;
    }

    /** A call of the node goes wrong from now on. */
    void call(int node, StoreCall call, Fault fault) {
        Duration takes = fault.request().plus(fault.reply());
        boolean whole = fault.kind() == Fault.Kind.SLOW || fault.kind() == Fault.Kind.SPLIT;
        if (!whole || takes.compareTo(SLOW) > 0) {
            harms.add(new Harm(node, time.wall(), time.wall().plus(takes), true, KEEPING.contains(call)));
        }
    }

    /** The node, or the server for {@link #ALL}, is harmed at this moment. */
    void moment(int node) {
        harms.add(new Harm(node, time.wall(), time.wall(), false, false));
    }

    /** The node is harmed for so long from now on. */
    void lasting(int node, Duration length) {
        harms.add(new Harm(node, time.wall(), time.wall().plus(length), false, false));
    }

    /** From now on, until {@link #end}. */
    void begin(int node) {
        harms.add(new Harm(node, time.wall(), Instant.MAX, false, false));
    }

    /** What has begun and not ended on the node ends now. */
    void end(int node) {
        harms.replaceAll(harm -> harm.node() == node && harm.to().equals(Instant.MAX)
                ? new Harm(node, harm.from(), time.wall(), false, false)
                : harm);
    }

    /** Whether anything happened to the node then. */
    boolean hit(int node, Instant from, Instant to) {
        return harms.stream().anyMatch(harm -> harm.overlaps(node, from, to));
    }

    /** Whether what happened to the node then may cost it a lease: more than one call, if nothing but calls. */
    boolean costsLease(int node, Instant from, Instant to) {
        List<Harm> then =
                harms.stream().filter(harm -> harm.overlaps(node, from, to)).toList();
        return then.stream().anyMatch(harm -> !harm.call())
                || then.stream().filter(Harm::keeping).count() >= CALLS_TO_LOSE_A_LEASE;
    }
}
