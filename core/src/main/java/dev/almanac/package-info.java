/**
 * Almanac, a persistent job scheduler on MongoDB. Start with {@link dev.almanac.Scheduler}: build one, start it,
 * schedule jobs.
 */
@NullMarked
package dev.almanac;

import org.jspecify.annotations.NullMarked;
