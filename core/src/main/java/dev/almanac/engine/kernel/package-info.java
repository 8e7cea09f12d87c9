/**
 * How due jobs are found, claimed, run and ended, on one thread: the {@code Kernel} owns all state of this room but for
 * what {@code HeldJob}, {@code ControlView} and {@code OpenCalls} share with other threads. Nothing else may touch it.
 * Doors are {@code ClaimDuty.hint}, which wakes it, and the ends of runs, which {@code CompletionDuty} takes.
 *
 * <p>Start with {@code ClaimDuty}. {@code LookPlan} decides when to look and for what, {@code LookAhead} has the jobs
 * that are due soon, {@code ClaimOrder} sorts them, {@code Slots} counts the room for runs. {@code ClaimCall} is one
 * claim, {@code DoubtfulClaims} has those without an answer, {@code BackOff} jobs to be left alone, {@code ControlView}
 * pauses and groups, {@code WatchDuty} waits for hints. {@code StoreCalls} and {@code SingleCall} alone record which
 * calls are in flight.
 *
 * <p>A claimed job is a {@code HeldJob}. {@code Dispatcher} asks the rules what to do with it, {@code JobRun} is one run,
 * {@code LeaseDuty} renews the leases, {@code CompletionDuty} writes the results.
 *
 * <h2>Groups: at most n together, at most so many per time</h2>
 *
 * A group has one document with its size, its rate and the counted claims, which is read with the pauses. Without it
 * the size is 1.
 *
 * <ol>
 *   <li><b>A slot.</b> A size of n has the slots 0 to n - 1. Such a job is claimed alone. It tries first the slot that
 *       the job still holds, then others at random; a unique index refuses a slot that is taken. Reply lost: the slot
 *       is taken as long as the lease may last. Late: the guard or the index refuses it, or the window is over and
 *       nothing starts.
 *   <li><b>All are taken.</b> The group is left alone, also by looks, for a pause that grows to 0.8 s. A claim that
 *       hangs delays the next one of its group on this node by a sixth of the trust window.
 *   <li><b>A dead member</b> loses its slot to any claim that finds no other, once its own job may be claimed again.
 *   <li><b>An edit</b> ends all pauses of groups. A group that became smaller, was removed (size 1) or is damaged
 *       (size 0) gives no further slots beyond its size; a claim that has one is released before its start, a run goes
 *       on.
 *   <li><b>The rate</b> ({@code RateDecider}) is counted before the claim, by compare-and-set on the version of the
 *       group and a number that rises with each count. Reply lost: counted, and no claim, so there may be fewer claims
 *       than the rate, never more. Late: a count is used within its time, at most half a
 *       second, or not at all; the count of a claim that was refused for certain may be used again.
 * </ol>
 *
 * <h2>Hints about new jobs</h2>
 *
 * With {@code watchForNewJobs} a stream of the store reports that some job has become due. The node looks at its
 * preferred partitions at once, at all of them after {@code stealAfter}. The stream decides nothing: without it the
 * next regular look finds the job, and a hint too many costs a look. Nothing waits for its thread.
 */
@NullMarked
package dev.almanac.engine.kernel;

import org.jspecify.annotations.NullMarked;
