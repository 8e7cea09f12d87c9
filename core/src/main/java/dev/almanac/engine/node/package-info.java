/**
 * What every other room needs of the node it belongs to: its identity, its estimate of the server's time, its events,
 * and whether the store answers. Start with {@code Node} and {@code ServerClock}.
 */
@NullMarked
package dev.almanac.engine.node;

import org.jspecify.annotations.NullMarked;
