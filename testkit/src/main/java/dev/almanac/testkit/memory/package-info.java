/**
 * A store without a database: {@link dev.almanac.testkit.memory.InMemoryJobStore}, of one node or of several in one
 * process.
 */
@NullMarked
package dev.almanac.testkit.memory;

import org.jspecify.annotations.NullMarked;
