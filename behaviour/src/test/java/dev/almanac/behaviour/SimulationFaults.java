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
 * Which faults each node met, and when. Only they excuse an abandoned claim, a lost lease or a late start: the judge asks
 * for the reason.
 */
final class SimulationFaults {
    /** Every node, as when the server has a fault. */
    static final int ALL = -1;
    /** What is slower is a fault. */
    private static final Duration SLOW = Duration.ofSeconds(1);
    /** The calls that keep a lease. */
    private static final Set<StoreCall> KEEPING = Set.of(StoreCall.RENEW, StoreCall.SERVER_TIME);
    /** A lease is renewed by the other way if one call hangs: it takes more to lose it. */
    private static final int CALLS_TO_LOSE_A_LEASE = 2;

    private final TimeSource time;
    private final List<Injected> injected = new ArrayList<>();

    /** @param keeping whether the call keeps leases */
    private record Injected(int node, Instant from, Instant to, boolean call, boolean keeping) {
        boolean overlaps(int other, Instant begin, Instant end) {
            return (node == ALL || node == other) && !from.isAfter(end) && !to.isBefore(begin);
        }
    }

    SimulationFaults(TimeSource time) {
        this.time = time;
    }

    /** A call of the node goes wrong from now on. */
    void call(int node, StoreCall call, Fault fault) {
        Duration takes = fault.request().plus(fault.reply());
        boolean whole = fault.kind() == Fault.Kind.SLOW || fault.kind() == Fault.Kind.SPLIT;
        if (!whole || takes.compareTo(SLOW) > 0) {
            injected.add(new Injected(node, time.wall(), time.wall().plus(takes), true, KEEPING.contains(call)));
        }
    }

    /** The node, or the server for {@link #ALL}, meets a fault at this moment. */
    void moment(int node) {
        injected.add(new Injected(node, time.wall(), time.wall(), false, false));
    }

    /** The node has a fault for so long from now on. */
    void lasting(int node, Duration length) {
        injected.add(new Injected(node, time.wall(), time.wall().plus(length), false, false));
    }

    /** From now on, until {@link #end}. */
    void begin(int node) {
        injected.add(new Injected(node, time.wall(), Instant.MAX, false, false));
    }

    /** What has begun and not ended on the node ends now. */
    void end(int node) {
        injected.replaceAll(one -> one.node() == node && one.to().equals(Instant.MAX)
                ? new Injected(node, one.from(), time.wall(), false, false)
                : one);
    }

    /** Whether anything happened to the node then. */
    boolean hit(int node, Instant from, Instant to) {
        return injected.stream().anyMatch(one -> one.overlaps(node, from, to));
    }

    /** Whether what happened to the node then may cost it a lease: more than one call, if nothing but calls. */
    boolean costsLease(int node, Instant from, Instant to) {
        List<Injected> then =
                injected.stream().filter(one -> one.overlaps(node, from, to)).toList();
        return then.stream().anyMatch(one -> !one.call())
                || then.stream().filter(Injected::keeping).count() >= CALLS_TO_LOSE_A_LEASE;
    }
}
