package dev.almanac.engine.port;

import java.time.Duration;

/**
 * A failure that the engine contains: of code of the service, or of a rehydration that is done again.
 *
 * @param what the code and its operation, or what was being done
 * @param count how often since the node was built, 1 or more
 * @param ago how long ago the last time was
 */
public record ContainedFailure(String what, long count, Duration ago) {}
