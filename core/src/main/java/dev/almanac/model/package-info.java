/**
 * Immutable data that users pass in and read back: start with {@link dev.almanac.model.JobSpecification} (what is
 * planned) and {@link dev.almanac.model.JobExecutionStatus} (what has happened).
 */
@NullMarked
package dev.almanac.model;

import org.jspecify.annotations.NullMarked;
