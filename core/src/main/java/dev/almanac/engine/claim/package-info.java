/**
 * How due jobs are found and claimed. {@code ClaimDuty} owns the state of this room on the lane {@code claim}: start
 * there. {@code LookPlan} says when to look and for what, {@code LookAhead} keeps what is due soon, {@code ClaimCall} is
 * one claim, {@code DoubtfulClaims} keeps claims whose answer was lost, {@code ControlView} the pauses in force.
 */
@NullMarked
package dev.almanac.engine.claim;

import org.jspecify.annotations.NullMarked;
