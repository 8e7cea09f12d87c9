/**
 * Metrics by Micrometer. Start at {@link dev.almanac.metrics.SchedulerMetrics}: a listener of the event stream that
 * also watches a scheduler. The other classes contain the meters by subject: runs, calls of the store, jobs, and the
 * state of the node.
 */
@NullMarked
package dev.almanac.metrics;

import org.jspecify.annotations.NullMarked;
