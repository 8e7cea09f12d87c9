package dev.almanac.engine.port;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Ids of specification documents: 24 hexadecimal digits that rise with time, so that an index grows at its end. */
public final class JobIds {
    private JobIds() {}

    /** An id that depends on the text and the moment only. */
    public static String after(Instant end, String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            HexFormat hex = HexFormat.of();
            return hex.toHexDigits((int) end.getEpochSecond() + 1) + hex.formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    public static String next(Instant now, RandomGenerator random) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits((int) now.getEpochSecond()) + hex.toHexDigits(random.nextLong());
    }
}
