/**
 * Carries out the changes that users request, and those that follow edits of calendars. {@code Registrar} carries out a
 * request for one job: start there. {@code Actions} does the same with each job of a selection, {@code Reruns} runs
 * again what has failed; {@code Reconciler} and {@code Backfill} serve requests for many, {@code StoredCalendars} edits
 * calendars, and {@code Replanner} plans the jobs again that an edit or new zone rules move.
 *
 * <h2>Calendars under edit</h2>
 *
 * <ul>
 *   <li><b>Versions only rise.</b> A deleted calendar is remembered with its next version, and {@code CalendarBook}
 *       never puts an older version over a newer one: a reading that was slow does no harm.
 *   <li><b>Plans are made by a fresh reading.</b> The end of a run is planned by calendars that were read less than 0.7
 *       s before, as claims are made.
 *   <li><b>A re-planning is owed until it is done.</b> A calendar whose {@code planned} is less than its version owes
 *       its jobs a plan. Every node looks for that at each heartbeat and when it reads an edit; whoever has looked at
 *       all jobs later than a second after the edit notes it. The second covers runs that ended just after the edit and
 *       were planned by a reading from before it.
 *   <li><b>Saving a job and deleting its calendar.</b> Whoever saves looks for the calendars after the job is stored,
 *       and takes the job back if one is gone. Whoever deletes looks for jobs after the calendar is gone, and puts it
 *       back if one names it. So one of the two sees the other; both may be refused, both cannot succeed. Within a
 *       transaction of the caller's the job is invisible until the commit: there a calendar that is deleted meanwhile
 *       leaves a job that no node runs, which {@code explainJob} tells.
 * </ul>
 *
 * <h2>Many at a time</h2>
 *
 * For a request for many jobs, {@code Pipeline} keeps four calls under way: the parts of {@code scheduleJobs}, and one
 * job each of actions, reconciliations and backfills. Each of them works as it would alone: a change has a guard, a
 * write and a count of its own, never a share of a bulk write, so its result is known exactly.
 *
 * <ul>
 *   <li><b>Order.</b> Results are in the order of the request. Requests for the same key go one after the other in that
 *       order; of different keys they never depended on each other.
 *   <li><b>Reply lost</b> of one change: as if it were alone. The page ends, as it did before: what is under way comes
 *       to its end, nothing more is begun, the caller gets the exception and may ask for all of it again.
 *   <li><b>Reply lost</b> of one part of {@code scheduleJobs}: its jobs are looked up by their ids. Each job that is
 *       found was stored; the result of each other one is unknown, and is the exception. Other parts are not affected.
 *       Scheduling all of them again is safe: equal jobs are not changed.
 *   <li><b>It hangs.</b> It keeps a thread of this request's four and no other; shared inserts do not count it after
 *       half a second.
 * </ul>
 *
 * <h2>New jobs: shared inserts, rows that follow</h2>
 *
 * {@code SharedInserts} stores new jobs by natural batching. A caller that finds room inserts for all that wait, on its
 * own thread; the others wait for the majority acknowledgement of that insert. Two inserts are under way at a time, and
 * one that takes longer than half a second does not count: it may hang, and must not hold up the next.
 *
 * <ul>
 *   <li><b>Reply lost, or no reply in time.</b> The insert is not repeated, since a job that was stored by the first
 *       try may have run and be gone: a second insert would run it again. The documents are read by their ids, as the
 *       majority has them. What is there was stored. What is not there is unknown, since the request may still arrive:
 *       its caller gets the exception.
 *   <li><b>A key that is taken.</b> The server refuses that document alone; its caller answers for itself, and the
 *       others are stored.
 *   <li><b>The caller is interrupted.</b> If its call has not been sent, it is taken back; else its outcome is unknown.
 * </ul>
 *
 * <p>{@code CreationRows} writes the first rows behind the acknowledged documents, in batches of up to a thousand,
 * which it gathers for 25 ms: a row of its own for each document would double what callers wait for. After a batch is
 * durable, its jobs are read: a row whose job has ended, or is superseded, gets the {@code deleteTime} that it would
 * have by then. A job that ends after that reading finds its row in place and stamps it; one that ended before is seen
 * by the reading. So no row is left without an end, whichever came first. The queue is bounded: callers write
 * themselves when it is full. {@code drain}, {@code close} and {@code history} of the same node write what is left. If
 * the process dies first, the document still holds all of the row ({@code lastStatus}): the next change by a user or
 * {@code checkInvariants} writes it, unless the job has moved on by then.
 */
@NullMarked
package dev.almanac.engine.change;

import org.jspecify.annotations.NullMarked;
