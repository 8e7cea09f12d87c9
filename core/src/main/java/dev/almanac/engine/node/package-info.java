/**
 * What every other room needs of its node: its identity, its estimate of the server's time, its events, the calendars
 * that it knows, and which kinds of calls the store answers. Start with {@code Node} and {@code ServerClock}.
 */
@NullMarked
package dev.almanac.engine.node;

import org.jspecify.annotations.NullMarked;
