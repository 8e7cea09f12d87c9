package dev.almanac.engine.port;

import dev.almanac.text.Fingerprint;
import java.time.Instant;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Ids of specification documents: 24 hexadecimal digits that rise with time, so that an index grows at its end. */
public final class JobIds {
    private JobIds() {}

    /** An id that depends on the text and the moment only. */
    public static String after(Instant end, String text) {
        return HexFormat.of().toHexDigits((int) end.getEpochSecond() + 1) + Fingerprint.of(text, 8);
    }

    public static String next(Instant now, RandomGenerator random) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits((int) now.getEpochSecond()) + hex.toHexDigits(random.nextLong());
    }
}
