package dev.almanac.store;

import dev.almanac.model.ReplanResult;

/**
 * The result of an edit of a stored calendar.
 *
 * @param calendar as it is stored now
 * @param jobs the planning of the jobs that use it; all zero if the definition was stored already
 */
public record CalendarEdit(StoredCalendar calendar, ReplanResult jobs) {}
