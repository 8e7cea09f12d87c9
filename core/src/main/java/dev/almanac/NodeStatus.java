package dev.almanac;

/**
 * The state of one node at this moment.
 *
 * @param id identity of this process start, as leases and rows show it
 * @param slots how many claims it may hold at a time
 * @param runs how many claims it holds, 0 to {@code slots}
 * @param rowsWaiting how many status rows of this process wait to be written; usually few, for some hundredths of a second
 */
public record NodeStatus(String id, int slots, int runs, int rowsWaiting) {}
