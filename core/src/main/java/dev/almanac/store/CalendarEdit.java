package dev.almanac.store;

import dev.almanac.model.ReplanResult;

/**
 * The result of an edit of a stored calendar.
 *
 * @param calendar as it is stored now
 * @param jobs the planning of the jobs that use it. If the definition was stored already, this completes the planning of an
 *     edit of the last 10 minutes; all zero if that is older
 */
public record CalendarEdit(StoredCalendar calendar, ReplanResult jobs) {}
