package dev.almanac.engine;

import java.time.Instant;
import java.util.random.RandomGenerator;

/** Ids of specification documents: 24 hexadecimal digits that rise with time, so that an index grows at its end. */
final class JobIds {
    private JobIds() {}

    static String next(Instant now, RandomGenerator random) {
        long seconds = now.getEpochSecond() & 0xFFFF_FFFFL;
        return String.format("%08x%016x", seconds, random.nextLong());
    }
}
