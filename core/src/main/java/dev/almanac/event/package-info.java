/**
 * The events of a node: {@link dev.almanac.event.SchedulerEvent} lists every kind. Logs, metrics and tests use them.
 */
@NullMarked
package dev.almanac.event;

import org.jspecify.annotations.NullMarked;
