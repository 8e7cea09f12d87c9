package dev.almanac.engine.node;

import java.time.Instant;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Ids of specification documents: 24 hexadecimal digits that rise with time, so that an index grows at its end. */
public final class JobIds {
    private JobIds() {}

    public static String next(Instant now, RandomGenerator random) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits((int) now.getEpochSecond()) + hex.toHexDigits(random.nextLong());
    }
}
