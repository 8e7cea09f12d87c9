/**
 * What touches the world, and decides nothing: the server's time ({@code ServerClock}), status rows
 * ({@code HistoryWriter}), events and log ({@code EventStream}, {@code EventLog}), calendars ({@code CalendarBook}),
 * which kinds of calls the store answers ({@code Reachability}), the code of the service ({@code Helpers},
 * {@code Interception}, {@code RunThreads}). Start with {@code Node}, which is handed to all other rooms.
 */
@NullMarked
package dev.almanac.engine.port;

import org.jspecify.annotations.NullMarked;
