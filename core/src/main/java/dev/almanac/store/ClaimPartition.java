package dev.almanac.store;

import java.nio.charset.StandardCharsets;

/** Which claim partition a key belongs to: stored with each document, so the arithmetic must never change. */
public final class ClaimPartition {
    private static final int FNV_OFFSET = 0x811C9DC5;
    private static final int FNV_PRIME = 0x01000193;

    private ClaimPartition() {}

    /**
     * The 32-bit FNV-1a hash of the key's UTF-8 bytes, unsigned, modulo the number of partitions.
     *
     * @param partitions 1 or more
     * @return 0 to {@code partitions - 1}
     */
    public static int of(String key, int partitions) {
        int hash = FNV_OFFSET;
        for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
        }
        // FNV-1a mixes its low bits poorly for short keys that differ in the last character only
        hash ^= hash >>> 16;
        return Integer.remainderUnsigned(hash, partitions);
    }
}
