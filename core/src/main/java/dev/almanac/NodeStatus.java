package dev.almanac;

/**
 * The state of one node at this moment.
 *
 * @param id identity of this process start, as leases and rows show it
 * @param slots how many claims it may hold at a time
 * @param runs how many claims it holds, 0 to {@code slots}
 */
public record NodeStatus(String id, int slots, int runs) {}
