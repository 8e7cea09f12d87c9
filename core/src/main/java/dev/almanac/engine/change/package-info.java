/**
 * Carries out the changes that users request, and those that follow edits of calendars. {@code Registrar} carries out a
 * request for one job: start there. {@code Actions} does the same with each job of a selection, {@code Reruns} repeats
 * failed jobs; {@code Reconciler} and {@code Backfill} handle requests for many jobs, {@code StoredCalendars} edits
 * calendars, and {@code Replanner} plans jobs again after an edit or new zone rules. {@code UnansweredChanges} finds out
 * what became of a change that the store has not answered.
 *
 * <h2>Calendars under edit</h2>
 *
 * <ul>
 *   <li><b>Versions only rise.</b> A deleted calendar is remembered with its next version, and {@code CalendarBook}
 *       never replaces a newer version by an older one: a slow reading does no harm.
 *   <li><b>Plans use a recent reading.</b> The end of a run is planned with calendars that were read less than 0.7 s
 *       before, like claims.
 *   <li><b>A planning is due until it is done.</b> If {@code planned} of a calendar is less than its version, its jobs
 *       are still to be planned. Every node checks that when it sees at a heartbeat or a claim that an edit was counted,
 *       and once a minute for edits that were not: a calendar is stored first, its edit is counted after that, and the
 *       editor may die in between. If its caller repeats the edit, it is counted then. A node that has
 *       read all jobs later than a second after it first saw the edit sets {@code planned}. The second covers runs that
 *       ended just after the edit and were planned with a reading from before it. It is not counted from the time in the
 *       edit, which is taken before the write is sent: if that takes long, the edit arrives after such a second. A plan
 *       that was written late is checked again; if a calendar throws then, it is checked until none does.
 *   <li><b>A calendar throws</b>, an Error, too, while a job is planned: that job keeps its plan, all others are planned,
 *       and the planning stays due. It is tried again after a growing pause, or at once with the next edit. The same
 *       holds for new zone rules; the node claims meanwhile.
 *   <li><b>A calendar does not return.</b> The node waits for it as long as a lease, then goes on as if it had thrown:
 *       {@code CalendarCalls}. An edit plans on the thread of its caller, and waits.
 *   <li><b>Saving a job and deleting its calendar.</b> Saving a job checks its calendars after the job is stored, and
 *       reverts the job if one is gone. Deleting a calendar checks for jobs after the deletion, and restores the
 *       calendar if a job names it. So one of the two sees the other; both may be refused, but not both succeed. Within
 *       a transaction of the caller the job is invisible until the commit: if a calendar is deleted meanwhile, a job is
 *       left that no node runs, which {@code explainJob} reports.
 * </ul>
 *
 * <h2>Many at a time</h2>
 *
 * For a request for many jobs, {@code Pipeline} keeps four calls in flight: the parts of {@code scheduleJobs}, and
 * single jobs of actions, reconciliations and backfills. Each call works as it would alone: a change has its own guard,
 * write and matched count, and is never part of a bulk write, so its result is known exactly.
 *
 * <ul>
 *   <li><b>Order.</b> Results are in the order of the request. Requests for the same key are sent one after the other
 *       in that order; requests for different keys do not depend on each other.
 *   <li><b>Reply lost</b> of one change: as if it were alone. The page ends: calls in flight are completed, no further
 *       call is made, the caller gets the exception and may repeat the whole request.
 *   <li><b>Keys that were used before.</b> Jobs of a part that are refused as first lives are inserted once more, as the next
 *       lives of their keys, which are read together. What a late request meets is the same as for one job: the life that
 *       it names is stored once. What is refused again is live, or was taken meanwhile, and is left to the single calls.
 *   <li><b>Reply lost</b> of one part of {@code scheduleJobs}: its jobs are read by their ids. Each job that is found
 *       was stored; the result of each of the others is unknown, and is the exception. Other parts are not affected.
 *       Scheduling all of them again is safe: equal jobs are not changed.
 *   <li><b>It hangs.</b> It occupies one of the four threads of this request and no other; shared inserts do not count
 *       it after half a second.
 * </ul>
 *
 * <h2>New jobs: shared inserts, rows that follow</h2>
 *
 * {@code SharedInserts} stores new jobs by natural batching. A caller that finds room begins the insert of the jobs of
 * all waiting callers, and each waits for its majority acknowledgement. The insert for one caller alone is done by that
 * caller's thread; one that several share has a thread of its own, which no caller can interrupt: the driver refuses
 * interrupted threads, and an interrupt may close the connection of a virtual one. Two inserts are in
 * flight at a time; one that takes longer than half a second does not count: it may hang, and must not delay the next.
 *
 * <ul>
 *   <li><b>Reply lost, or no reply in time.</b> The insert is not repeated. The documents are read by their ids with read
 *       concern majority. A document that is found was stored. The outcome of a missing one is unknown, since the
 *       request may still arrive: its caller gets the exception, and may ask again.
 *   <li><b>The first request arrives after the caller has asked again</b> (rule N6). Both are the same life of the key,
 *       and the server stores each life once, also after it has ended: the late one is refused. The lives of a key are
 *       counted from 0; a request that is refused reads the highest number among the documents of the key and takes the
 *       next. That reading need not be the newest: the index decides. A document that is deleted at its end (history
 *       TROUBLE) takes its number with it, so there a request that arrives after the end of the job brings it back.
 *   <li><b>A key that is taken.</b> The server refuses that document alone; its caller handles the refusal, and the
 *       others are stored.
 *   <li><b>The caller is interrupted.</b> If its call has not been sent, it is withdrawn; else its outcome is unknown, and the
 *       insert goes on for the others that share it.
 *   <li><b>Anything else is thrown</b>, Errors included, by the insert, by the reading, or after them: each call of the
 *       insert that has no result yet ends with an exception, so no caller waits for an insert that is over.
 * </ul>
 *
 * <p>The rows of new jobs follow their documents, as all rows do ({@code HistoryWriter}); callers that store jobs faster than rows
 * are written write some.
 */
@NullMarked
package dev.almanac.engine.change;

import org.jspecify.annotations.NullMarked;
