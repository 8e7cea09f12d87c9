package dev.almanac.engine.node;

import java.time.Duration;

/**
 * What has failed where the engine contains it: code of the service, or a rehydration that is done again.
 *
 * @param what the code and at what it failed, or what was being done
 * @param count how often since the node was built, 1 or more
 * @param ago how long ago the last time was
 */
public record ContainedFailure(String what, long count, Duration ago) {}
