package dev.almanac.behaviour;

import dev.almanac.runtime.TimeSource;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    /** The calls by which a node gets a claim and ends it. */
    private static final Set<StoreCall> OF_A_CLAIM = Set.of(StoreCall.CLAIM, StoreCall.WRITE);
    /** A lease is renewed by the other way if one call hangs: it takes more to lose it. */
    private static final int CALLS_TO_LOSE_A_LEASE = 2;
    /** A claim that takes longer leaves no time to renew its lease in. */
    private static final Duration LONG_CLAIM = Duration.ofSeconds(9);

    private final TimeSource time;
    private final List<Injected> injected = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();

    private record Held(String key, Instant from, Instant to) {}

    /**
     * @param alone whether it may cost a lease by itself
     * @param call that goes wrong; absent = the node does, or the server
     */
    private record Injected(
            int node,
            Instant from,
            Instant to,
            boolean alone,
            @Nullable StoreCall call) {
        boolean overlaps(int other, Instant begin, Instant end) {
            return (node == ALL || node == other) && !from.isAfter(end) && !to.isBefore(begin);
        }

        boolean isOneOf(Set<StoreCall> calls) {
            return call != null && calls.contains(call);
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
            boolean alone = call == StoreCall.CLAIM && takes.compareTo(LONG_CLAIM) > 0;
            injected.add(new Injected(node, time.wall(), time.wall().plus(takes), alone, call));
        }
    }

    /** A call of the node waits for a transaction, which costs it no lease of another job (rule X3), but at times a claim. */
    void hangs(int node, Duration atMost) {
        injected.add(new Injected(node, time.wall(), time.wall().plus(atMost), false, StoreCall.WRITE));
    }

    /** A transaction has the job from now on, until {@link #released}. */
    void held(String key) {
        held.add(new Held(key, time.wall(), Instant.MAX));
    }

    /** It has ended. */
    void released(String key) {
        held.replaceAll(one ->
                one.key().equals(key) && one.to().equals(Instant.MAX) ? new Held(key, one.from(), time.wall()) : one);
    }

    /** Whether a transaction had the job then. */
    boolean wasHeld(String key, Instant from, Instant to) {
        return held.stream()
                .anyMatch(one -> one.key().equals(key)
                        && !one.from().isAfter(to)
                        && !one.to().isBefore(from));
    }

    /** The node, or the server for {@link #ALL}, meets a fault at this moment. */
    void moment(int node) {
        injected.add(new Injected(node, time.wall(), time.wall(), true, null));
    }

    /** The node has a fault for so long from now on. */
    void lasting(int node, Duration length) {
        injected.add(new Injected(node, time.wall(), time.wall().plus(length), true, null));
    }

    /** From now on, until {@link #end}. */
    void begin(int node) {
        injected.add(new Injected(node, time.wall(), Instant.MAX, true, null));
    }

    /** What has begun and not ended on the node ends now. */
    void end(int node) {
        injected.replaceAll(one -> one.node() == node && one.to().equals(Instant.MAX)
                ? new Injected(node, one.from(), time.wall(), true, null)
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
        return then.stream().anyMatch(Injected::alone)
                || then.stream().filter(one -> one.isOneOf(KEEPING)).count() >= CALLS_TO_LOSE_A_LEASE;
    }

    /** Whether what happened to the node then may end a claim without its outcome: a call about it, if nothing but calls. */
    boolean costsClaim(int node, Instant from, Instant to) {
        return injected.stream()
                .filter(one -> one.overlaps(node, from, to))
                .anyMatch(one -> one.call() == null || one.isOneOf(KEEPING) || one.isOneOf(OF_A_CLAIM));
    }
}
