package dev.almanac.event;

import java.util.List;

/**
 * What a node found when it started to claim.
 *
 * @param store the server and where it is
 * @param liveNodes how many nodes are live, this one included
 * @param dueJobs how many jobs were due at that moment, counted up to a limit
 * @param warnings what an operator should know
 */
public record RehydrationSummary(String store, int liveNodes, int dueJobs, List<String> warnings) {}
