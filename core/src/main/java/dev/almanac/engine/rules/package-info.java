/**
 * Decides how jobs change: pure functions of records. Nothing here reads a store, a clock or a thread, and what a
 * decision is given is a value: the calendars that a {@code FirePlanner} asks are those of one moment.
 *
 * <p>Start with {@code FireDecider} (what a claim leads to) and {@code CompletionDecider} (how a run ends).
 * {@code RequestDecider} decides what users ask for, {@code SpecificationCheck} what may be stored. {@code Transitions}
 * and {@code Rows} make the changes and rows that they all use; {@code FirePlanner} computes fire times.
 */
@NullMarked
package dev.almanac.engine.rules;

import org.jspecify.annotations.NullMarked;
