package dev.almanac.testkit.faults;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Which calls go wrong: those that a script names, else those that chance picks. Thread-safe. */
final class FaultPlan {
    private final Map<StoreCall, Integer> calls = new EnumMap<>(StoreCall.class);
    private final Map<StoreCall, Map<Integer, Fault>> script = new EnumMap<>(StoreCall.class);
    private SplittableRandom random = new SplittableRandom(0);
    private Chances chances = Chances.NONE;
    private boolean partitioned;

    synchronized void script(StoreCall call, int number, Fault fault) {
        if (number < 1) {
            throw new IllegalArgumentException("calls are counted from 1, not from " + number);
        }
        script.computeIfAbsent(call, any -> new HashMap<>()).put(number, fault);
    }

    synchronized void atRandom(long seed, Chances newChances) {
        random = new SplittableRandom(seed);
        chances = newChances;
    }

    synchronized void partitioned(boolean apart) {
        partitioned = apart;
    }

    synchronized void heal() {
        partitioned = false;
        chances = Chances.NONE;
        script.clear();
    }

    synchronized int calls(StoreCall call) {
        return calls.getOrDefault(call, 0);
    }

    /** Counts the call and returns its fault; empty = none. */
    synchronized Optional<Fault> next(StoreCall call) {
        int number = calls.merge(call, 1, Integer::sum);
        Fault scripted = script.getOrDefault(call, Map.of()).get(number);
        if (partitioned) {
            return Optional.of(Fault.LOSE_REQUEST);
        }
        return scripted != null ? Optional.of(scripted) : chances.draw(random);
    }
}
