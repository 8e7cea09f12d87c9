package dev.almanac.engine.port;

import java.time.Duration;

/**
 * A listener that is being called, or that has lost events.
 *
 * @param name of its class
 * @param inCall for how long it has been in the present call; zero if it is in none
 * @param thread the name of the thread that calls it; empty if none does
 * @param waiting how many events wait for it
 * @param lost how many events were left out since the node was built, because too many waited
 * @param lostAgo how long ago the last of them was; means nothing if none was
 */
public record SlowListener(String name, Duration inCall, String thread, int waiting, long lost, Duration lostAgo) {}
