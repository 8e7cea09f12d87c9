/** Metrics from the event stream: {@link dev.almanac.metrics.SchedulerMetrics} is a listener. */
@NullMarked
package dev.almanac.metrics;

import org.jspecify.annotations.NullMarked;
