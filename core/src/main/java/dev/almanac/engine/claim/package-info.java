/**
 * How due jobs are found and claimed. {@code ClaimDuty} owns the state of this room on the lane {@code claim}: start
 * there. {@code LookPlan} says when to look and for what, {@code LookAhead} keeps what is due soon, {@code Slots} what
 * there is room for. {@code ClaimCall} is one claim, {@code DoubtfulClaims} keeps claims whose answer was lost, {@code
 * BackOff} jobs to be left alone, {@code ControlView} the pauses in force. All of them ask the store by {@code
 * StoreCalls}, what is asked again and again as a {@code Question}: these two alone know what is under way.
 */
@NullMarked
package dev.almanac.engine.claim;

import org.jspecify.annotations.NullMarked;
