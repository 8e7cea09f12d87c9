/**
 * Traces by OpenTelemetry. Start at {@link dev.almanac.opentelemetry.AlmanacTelemetry}: it makes a span of each attempt, with a
 * link to the span in which the job was scheduled.
 */
@NullMarked
package dev.almanac.opentelemetry;

import org.jspecify.annotations.NullMarked;
