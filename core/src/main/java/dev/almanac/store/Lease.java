package dev.almanac.store;

import java.time.Instant;

/**
 * The right to run a job until a moment.
 *
 * @param owner the node, by its identity per process start
 * @param token random 64 bits, new for each claim; every write of the holder carries it
 * @param until when it ends, by the server's clock
 */
public record Lease(String owner, long token, Instant until) {}
