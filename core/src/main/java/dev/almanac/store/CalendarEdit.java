package dev.almanac.store;

import dev.almanac.model.ReplanResult;

/**
 * What an edit of a stored calendar has brought.
 *
 * @param calendar as it is stored now
 * @param jobs what became of the jobs that use it; all zero if the definition was stored already
 */
public record CalendarEdit(StoredCalendar calendar, ReplanResult jobs) {}
