/**
 * How due jobs are found and claimed. {@code ClaimDuty} owns the state of this room on the lane {@code claim}: start
 * there. {@code LookPlan} says when to look and for what, {@code LookAhead} keeps what is due soon, {@code Slots} what
 * there is room for. {@code ClaimCall} is one claim, {@code DoubtfulClaims} keeps claims whose answer was lost, {@code
 * BackOff} jobs to be left alone, {@code ControlView} the pauses in force. All of them ask the store by {@code
 * StoreCalls}, what is asked again and again as a {@code SingleCall}: these two alone know what is under way.
 *
 * <h2>Groups: at most n together, at most so many per time</h2>
 *
 * What is stored of a group (size, rate, the claims that were counted) is one document, which is read with the pauses: no
 * claim is made by a reading that is older than 0.7 s, and none is started by one that is older than a second. Nothing
 * stored means size 1 and no rate. Who can do what when; what if the reply is lost, hangs, or is late here.
 *
 * <ol>
 *   <li><b>A slot.</b> A group of size n has the slots 0 to n - 1. The claim of one of its jobs is single, and its guard holds
 *       the group and the slot as the look saw them: a job that has another group by now, or that was claimed and lost in
 *       between, is left alone. It names the slots that may be taken: first the one that the job itself has left by a dead
 *       claim, then the others in an order of chance, without those that this node's own runs hold. Of two claims of one slot
 *       the unique index refuses the second, which takes the next that is free. So each slot has at most one document, and
 *       there are no more members than slots. Reply lost: as for any claim, and the slot stays taken as long as the lease
 *       may. Late: the guard has moved on, or the slot is taken, or the claim is as good as one sent later, and the node,
 *       whose trust counts from the moment of sending, starts nothing.
 *   <li><b>All are taken.</b> Nothing has changed. The group is left alone for a pause that grows to 0.8 s, and looks leave out
 *       its jobs meanwhile, so that they do not use up the window of others. One claim of a group is under way at a time on
 *       a node; one that hangs does not count after a sixth of a lease.
 *   <li><b>Dead members.</b> Their slots are free for anybody once lease and margin are over, the others are not concerned. A
 *       slot is taken away from a dead member only if no other is free: its job may be claimed any moment.
 *   <li><b>Larger.</b> A node that waits for a group reads its document every 0.7 s, and forgets all pauses of groups when one
 *       was edited.
 *   <li><b>Smaller.</b> Slots beyond the new size are not taken any more; a claim that took one by an older reading is given
 *       back before its start, since the start asks once more. What runs in them ends, so that for a while there may be as
 *       many members as before, never more. Removed is size 1. Damaged, as by hands, is size 0 until it is stored again.
 *   <li><b>The rate</b> is decided by {@code RateDecider} and counted in the document, by compare-and-set on the version of
 *       the group and a number that rises with each count, before the claim is sent. So no two nodes count the same, and
 *       within any period no more claims are counted than the rate. Reply lost: it may be counted, and no claim is made by
 *       it; counts may be lost, never exceeded. Refused: another node has counted, or a user has edited; all is read again.
 *       Late: a count is used within half a second of its decision, or lost. The claim is refused, for certain: the count is
 *       used for another one while it is young. Else, also if it is not known what became of the claim, it is used up.
 *       Nothing is counted while no slot is free. The moments are the nodes' estimates of the server's time; one that is
 *       behind counts with the newest moment that it finds. What is limited is claims: a start follows at once, or at the
 *       planned instant, of which the claim is ahead by the lead.
 *   <li><b>Nodes of a version before</b> know slot 0 alone, and no rate: with them the size holds, the rate does not.
 * </ol>
 */
@NullMarked
package dev.almanac.engine.claim;

import org.jspecify.annotations.NullMarked;
