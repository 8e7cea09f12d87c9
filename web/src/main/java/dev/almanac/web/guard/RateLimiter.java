package dev.almanac.web.guard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Limits the requests of a viewer: a burst, then a number per second. Thread-safe. */
final class RateLimiter {
    private static final double NANOS = 1e9;
    private static final int MOST_ASKERS = 1_000;

    private final double atOnce;
    private final double perSecond;
    private final LongSupplier nanos;
    /** The entry with the oldest request is removed first. */
    private final Map<String, Allowance> askers = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Allowance> eldest) {
            return size() > MOST_ASKERS;
        }
    };

    private record Allowance(double left, long since) {}

    RateLimiter(int atOnce, int perSecond, LongSupplier nanos) {
        this.atOnce = atOnce;
        this.perSecond = perSecond;
        this.nanos = nanos;
    }

    synchronized boolean allows(String asker) {
        long now = nanos.getAsLong();
        Allowance before = askers.getOrDefault(asker, new Allowance(atOnce, now));
        double left = Math.min(atOnce, before.left() + (now - before.since()) / NANOS * perSecond);
        boolean allowed = left >= 1;
        askers.put(asker, new Allowance(allowed ? left - 1 : left, now));
        return allowed;
    }
}
