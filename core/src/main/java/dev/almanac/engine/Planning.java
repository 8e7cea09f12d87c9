package dev.almanac.engine;

import dev.almanac.engine.change.CalendarBook;
import dev.almanac.engine.change.Replanner;
import dev.almanac.engine.rules.FirePlanner;

/**
 * What plans fires.
 *
 * @param calendars the calendars that this node knows
 * @param planner computes the fires of one job
 * @param replanner plans many jobs anew
 */
record Planning(CalendarBook calendars, FirePlanner planner, Replanner replanner) {}
