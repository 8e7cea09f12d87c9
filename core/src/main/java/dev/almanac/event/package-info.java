/**
 * What happens in a node, as one stream: {@link dev.almanac.event.SchedulerEvent} lists every kind. Logs, metrics and
 * tests feed from it.
 */
@NullMarked
package dev.almanac.event;

import org.jspecify.annotations.NullMarked;
