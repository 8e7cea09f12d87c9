package dev.almanac.engine;

import java.time.Duration;

/**
 * Code of the service that has failed where the engine contains it.
 *
 * @param what the code, and at what it failed
 * @param count how often since the node was built, 1 or more
 * @param ago how long ago the last time was
 */
public record ContainedFailure(String what, long count, Duration ago) {}
