/**
 * How due jobs are found and claimed. {@code ClaimDuty} owns the state of this room, as a part of the kernel: start
 * there. {@code LookPlan} decides when to look and for what, {@code LookAhead} contains the jobs that are due soon, {@code ClaimOrder} sorts those that may be claimed,
 * {@code Slots} counts how many more runs there is room for. {@code ClaimCall} is one claim, {@code DoubtfulClaims}
 * contains claims whose answer was lost, {@code BackOff} jobs to be left alone, {@code ControlView} the pauses in
 * force, {@code WatchDuty} waits for hints about new jobs. All of them call the store through {@code StoreCalls};
 * repeated calls, of which one at a time is in flight, are each a {@code SingleCall}. Only these two record which calls
 * are in flight.
 *
 * <h2>Groups: at most n together, at most so many per time</h2>
 *
 * A group has one document with its size, its rate and the counted claims. It is read with the pauses: no claim is made
 * on a reading that is older than 0.7 s, and no run is started on one that is older than a second. Without a document
 * the size is 1 and there is no rate. For each step: which node may do what, when, and what happens if the reply is
 * lost, hangs, or is late.
 *
 * <ol>
 *   <li><b>A slot.</b> A group of size n has the slots 0 to n - 1. A claim of a job of a group contains only that job,
 *       and its guard contains the group and the slot as the look saw them: a job that has another group by now, or
 *       that was claimed and lost in between, is left alone. The claim names the slots that it may take: first the one
 *       that an expired claim of the job has left, then the others in random order, without those that runs of this
 *       node hold. Of two claims of one slot the unique index refuses the second, which takes the next free one. So
 *       each slot has at most one document, and there are no more members than slots. Reply lost: as for any claim; the
 *       slot stays taken as long as the lease may last. Late: the guard does not match any more, or the slot is taken,
 *       or the claim is applied like one that was sent later, and the node, whose trust counts from the moment of
 *       sending, starts nothing.
 *   <li><b>All are taken.</b> Nothing has changed. The group is left alone for a pause that grows to 0.8 s, and looks leave out
 *       its jobs meanwhile, so that they do not use up the window of others. One claim of a group is under way at a time on
 *       a node; one that hangs does not count after a sixth of a lease.
 *   <li><b>Dead members.</b> Every node may take their slots once lease and margin are over; the other slots are not
 *       affected. A slot is taken from a dead member only if no other is free, since its job may be claimed again at
 *       any moment.
 *   <li><b>Larger.</b> A node that waits for a group reads its document every 0.7 s, and ends all pauses of groups when one
 *       was edited.
 *   <li><b>Smaller.</b> Slots beyond the new size are not taken any more; a claim that took one after an older reading
 *       is released before its start, since the start checks once more. Runs in progress continue, so that for a while
 *       there may be as many members as before, but never more. A removed group has size 1. A damaged one, for example
 *       after an edit by hand, has size 0 until it is stored again.
 *   <li><b>The rate</b> is decided by {@code RateDecider} and counted in the document, by compare-and-set on the
 *       version of the group and a number that rises with each count, before the claim is sent. So no count is used by
 *       two nodes, and within any period no more claims are counted than the rate allows. Reply lost: the claim may
 *       have been counted and is not made; so there may be fewer claims than the rate, never more. Refused: another
 *       node has counted, or a user has edited the group; the document is read again. Late: a count is used within half
 *       a second of its decision, or not at all. If the claim is refused for certain, the count is used for another
 *       claim within that time; otherwise, also if the outcome of the claim is unknown, it is used up. Nothing is
 *       counted while no slot is free. Times are the nodes' estimates of the server's time; a node that is behind
 *       counts with the newest time that it finds. The rate limits claims: a start follows immediately, or at the
 *       planned instant, which is at most the lead later.
 * </ol>
 *
 * <h2>Hints about new jobs</h2>
 *
 * A job that another process stores is found by the next look, up to a {@code pollInterval} later. With {@code
 * watchForNewJobs} a started node also reads a stream of the store ({@code WatchDuty}). The stream only reports that some job
 * of the node's types has become due. The node then looks: at its preferred partitions immediately, and at all partitions
 * after {@code stealAfter}, because by then the nodes that prefer the other partitions have claimed the jobs that they can
 * run. The stream decides nothing, so an error of the stream costs time only.
 *
 * <ol>
 *   <li><b>No hint</b> (the stream is lost, late or unavailable: no replica set, no right): the next regular look finds the
 *       job, as without a stream. A stream that is opened again does not continue where the last one ended; the node looks
 *       once instead.
 *   <li><b>Hint without effect</b> (the job was claimed meanwhile, is paused, its group is busy, or this node is full or on
 *       standby): the look finds nothing that can be claimed. A hint is kept until there is room for one of the types, and
 *       until a look that began after it was answered.
 *   <li><b>Many hints</b>: the stream is read every 50 ms at most, and one look is in flight at a time.
 *   <li><b>The stream hangs</b>: it has its own thread and its own connection, and nothing waits for it. A read ends at the
 *       time limit of all calls of the store.
 *   <li><b>The stream fails</b>: it is closed, and opened again after a pause that doubles from 1 s to about a minute. The
 *       first failure is logged as a warning, and the node's health shows how many there were. It does not count as a failure
 *       to reach the store.
 *   <li><b>The node stops claiming</b>: the stream is closed when the read in flight ends. A hint that comes after that has no
 *       effect, because {@code ClaimDuty} is not active.
 * </ol>
 *
 * Hints come from inserts and from users' changes. Claims and renewals move {@code due} into the future; the next fire that
 * the holder of a lease plans is known to its own node.
 */
@NullMarked
package dev.almanac.engine.claim;

import org.jspecify.annotations.NullMarked;
