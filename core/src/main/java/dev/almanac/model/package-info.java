/**
 * What users hand over and read back, as immutable data: start with {@link dev.almanac.model.JobSpecification} (what
 * shall happen) and {@link dev.almanac.model.JobExecutionStatus} (what did happen).
 */
@NullMarked
package dev.almanac.model;

import org.jspecify.annotations.NullMarked;
