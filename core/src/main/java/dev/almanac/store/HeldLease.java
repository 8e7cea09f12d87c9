package dev.almanac.store;

/**
 * A lease that is still held after a renewal.
 *
 * @param id of the specification document
 * @param token of the lease
 * @param version of the document: if it differs from that at the claim, a user has changed the job meanwhile
 * @param interruptRequested whether a user asked to interrupt the run
 */
public record HeldLease(String id, long token, long version, boolean interruptRequested) {}
