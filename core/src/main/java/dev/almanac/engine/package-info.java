/**
 * The engine of one node. Records carry data, deciders are pure functions, duties act, the store remembers.
 *
 * <pre>
 *   scheduleJob -> Registrar -> JobStore.insert/write -> hint
 *                                                         |
 *              LookPlan, LookAhead (what is due soon)     v
 *   JobStore.due/claim &lt;- ClaimDuty -> Dispatcher -> FireDecider (pure: MissedFireDecider, RecoveryDecider)
 *                                         |
 *                                         v start, settle, prepare, release
 *                                      Starter -> JobRun -> SchedulingHelper
 *                                                    |
 *                                                    v how it ended
 *                        CompletionDecider (pure) &lt;- CompletionDuty -> JobStore.write
 *                                                   FollowDuty -> JobStore.insert
 *
 *   LeaseDuty  -> JobStore.renew      NodeDuty -> JobStore.report, serverTime      PurgeDuty -> JobStore.purge
 * </pre>
 *
 * {@code Insight} answers questions: Explainer explains why a job has not run, InvariantDecider finds violations in the
 * stored state, StuckDecider finds runs that should have ended. All three are pure. InvariantCheck writes only rows
 * that a crash has left out. {@code RepairDuty} does the same continuously, at a low rate.
 *
 * <p>{@code Wiring} puts the parts together, {@code Engine} starts and stops them. Calls go from left to right, except
 * for {@code Signals}: each passes a hint and no decision; a lost one only delays the work until the next look. {@code
 * HeldJob.Run} is the way from a claim to the code of its run, which is asked to end.
 *
 * <p>One more goes against this direction: Starter and LeaseDuty ask ControlView, as a {@code StartGate}, what was read of
 * pauses and groups before a start, and have it read whether runs are to be interrupted if no claim has done so lately.
 *
 * <h2>Threads</h2>
 *
 * The {@code Kernel} is one thread, and owns what a running node holds: claims ({@code HeldJobs}), the writes of their ends
 * ({@code HeldWrites}, {@code WriteQueue}), renewals ({@code LeaseDuty}), what is known of due jobs ({@code LookAhead},
 * {@code LookPlan}, {@code BackOff}), slots, calls of the store under way ({@code StoreCalls}), timers of starts and
 * timeouts, and the drain. No step of it waits. What may wait goes to a thread by {@code Kernel.call}, on values, and what
 * comes of it is a step again: an answer, or what was thrown. A step that could not be planned, as with too little memory,
 * is kept until the next timer of the kernel. What a duty repeats is repeated by {@code Lane.every}: no turn plans the next
 * one, which could fail.
 *
 * <p>One object is shared with the thread of a run: its {@code HeldJob}, whose state, start and window are one atomic value. Health
 * and reports read how many claims are held. {@code ServerClock}, {@code CalendarBook}, {@code ControlView} and {@code
 * HistoryWriter} are used by all threads.
 *
 * <p>Work that is not the kernel's has lanes of its own:
 *
 * <ul>
 *   <li>{@code look} (twice the claims in flight, and some): looks, claims and readings of pauses; one that hangs occupies a
 *       thread of this lane and nothing else
 *   <li>{@code watch} (1): waits for the store's hints about new jobs; open only if {@code watchForNewJobs} is on
 *   <li>{@code node} (1): reports and the server's clock
 *   <li>{@code rows} (1): writes status rows
 *   <li>{@code upkeep} (1): counts of each minute, purging; the slow pass that repairs; the count of overdue jobs
 *   <li>{@code plan} (1): plans that other rules or calendars move; a rehydration that is done again
 * </ul>
 *
 * <p>Steps that may hang have a thread each; no lane waits for them, except {@code plan} for {@code calendars}:
 *
 * <ul>
 *   <li>the executor of the service, or virtual threads: helpers, {@code supports}, decoding of commands
 *   <li>{@code hand-over}: gives runs to the executor of the service, which may block; the node's own does not
 *   <li>{@code aside}: interrupts, cancellations of stages with all that depends on them; decisions that ask calendars, read
 *       other documents, or count many fires
 *   <li>{@code calendars}: calendars while jobs are planned again or counted for a rehydration. The lane {@code plan}, or
 *       the caller of a start, waits for each call as long as a lease. Then jobs that have all the calendars of that call
 *       are passed over until it returns: so there is one wait, and one thread, for each combination of calendars. The
 *       call writes nothing, so that one that returns late changes nothing
 *   <li>{@code events}: listeners, one at a time each
 *   <li>{@code follow}: inserts of follow-ups
 *   <li>{@code farewell}: the last calls of a drain; the drain ends without them after five seconds
 *   <li>{@code ask}: reports while it is in doubt whether the store answers
 *   <li>{@code complete}: writes and decisions about ends, by natural batching, as many as completions in flight; one that hangs does not count
 *   <li>{@code renew}: renewals, readings of interrupts and of the server's time
 * </ul>
 *
 * <h2>The lease argument</h2>
 *
 * For each step: which node may do what, when, and what happens if the reply is lost.
 *
 * <ol>
 *   <li><b>Claim.</b> A guarded write on {@code due <= horizon} sets lease and token, and moves {@code due} past the
 *       end of the lease plus the margin. Of several nodes one wins per document, since the winner's write falsifies
 *       the guard. It also holds the exclusive group as the look saw it: a job whose group was changed since is left
 *       alone. Reply lost: the documents may be ours or not, so nothing is started. {@code DoubtfulClaims} renews by
 *       the token; what the answer names is ours from then, the rest expires. It names only what the renewal has
 *       lengthened: a claim that arrives between the renewal's update and its reading ends when the claim said. Until
 *       that is known they keep their slots, so that no limit is exceeded if they are ours. Reply late: after a sixth of a lease other claims
 *       continue; the late reply is used as usual, since trust counts from the moment of sending. Documents of a
 *       claim that got no answer are claimed by smaller commands next, split like renewals, and one that gets no
 *       answer alone is left alone for a growing pause: so a document that an open transaction holds delays only its
 *       own claim. An answer that was used, if only in part, is final: if it counted as lost after that, a run of it
 *       might end before it is confirmed, and the copy that the confirmation has read would be run again. So what
 *       fails afterwards, Errors included, such as a thread that cannot be created, concerns only its own job: that
 *       one is released, or, if that fails too, not renewed any more. And a claim that this node holds already is not
 *       begun anew, nor one whose answer comes so late that this node holds a later claim of the job: of two claims
 *       the one with the higher fencing number counts. Each claim draws a token, so a retry that is claimed before
 *       the end of the run before it is acknowledged is another claim: it takes the place of the older one.
 *   <li><b>Start.</b> Only after the acknowledgement, not before the planned instant, and only while
 *       {@code now < sent + leaseLength - margin} by the monotonic clock. {@code sent} lies before the server applied
 *       the write, and the end of the lease is counted from the same reading of the clock, however long the node stands
 *       still after it. So the window is over before the lease is, by every node's estimate of the server's time, provided
 *       that its error is within the skew allowance. The successor's claim waits the margin once more. And only if the
 *       document and the pauses were read less than a second ago: after a slow claim, a confirmation, a recovery or a
 *       wait for a thread of the executor both are read again first, and the job is decided again if it was changed. If
 *       it is paused by then, or holds no slot of its group, it is released, at either moment: the group may have become
 *       smaller, or a user may have given the job another group since its claim. The next claim takes a slot of that.
 *       Reply lost: it is read again until the trust is over.
 *   <li><b>Renew.</b> Guarded by id and token. The window starts again at the moment the acknowledged renewal was
 *       sent. Not in the answer: the lease is lost, the run is asked to end, nothing more is written. Reply lost: the
 *       window does not grow; the next tick asks again. Neither a renewal that arrives after a later one nor a late
 *       answer to an older renewal shortens the window: trust only grows. A check that finds the window closed closes
 *       it for good, in the same atomic step: a later answer does not open it again, since the helper may have been
 *       informed. A node that was suspended checks its windows before it renews: a closed one is lost, even if no
 *       other node has claimed the job yet. A call may take a sixth of a lease. No answer by then, or a failure: the
 *       batch is split, over the other connection pool, then over the first again, so that a call that hangs or a
 *       document that stalls costs no other lease. A large batch is split in two steps, into parts of the square root
 *       of its size and then into single leases ({@code BatchSplit}): a server that is only slow gets some twenty
 *       commands for a batch of 400, not 400, which would keep it slow until all leases are lost. Both steps fit into
 *       the window: a third of a lease until the renewal, two calls of a sixth, and a twentieth before each. Several
 *       answers for one lease may come in any order; each is valid for the time after it was sent.
 *   <li><b>One state.</b> A run is waiting, running, ending or over; state, start and window change together, in one
 *       atomic step. Calling the helper is the step from waiting to running, which is taken only while the window is
 *       open and sets {@code startedTime}. Releasing a claim is the step from waiting to ending. So a run that was
 *       released, drained or lost is never started, however late the executor calls, and a run that was started is never
 *       released. A drain takes that step at once for all that wait, also for a thread of the executor, and one that
 *       comes to wait while the drain begins takes it itself. So does an interrupt that a user requests before the run
 *       begins. The claim keeps it, whichever copy of the document it has: so it is not lost if it comes before there
 *       is a run to ask, and none begins.
 *   <li><b>End.</b> A run has ended when its code has: the helper's call has returned, its stage is completed, and so
 *       is every stage that it was held until. The thread on which it ends may be the service's, and may fail by an
 *       Error there, such as a stack that is used up: the end is repeated on another one, as long as the lease is
 *       held. A {@code CompletableFuture} may drop what follows it then, so that the run does not learn that it is
 *       completed: twenty times in a lease the run asks each of its futures, on another thread if it is not of the class
 *       itself, and ends the part of one that is. Each part ends once; what is not completed holds the run.
 *       Other implementations of {@code CompletionStage} cannot be asked. At {@code executionTimeout} it is
 *       asked to end, and a row says so under the token; lease, slot, group, attempts and plan stay. Reply of that row
 *       lost: the same write is repeated. It is written late: writes of one job are sent one after the other, so
 *       the end is decided on the resulting document. The node dies then: the row
 *       does not record an end, so the run is abandoned. The code ends: a failed attempt, planned from the timeout, so
 *       that a retry starts at the later of timeout + delay and end of code. A lost lease ends all of it. {@code
 *       release} by force is a user's change that takes the lease away and leaves {@code doneSeq}: the next claim
 *       recovers the run, and the holder, if it lives, finds its token gone at its next renewal or write. After the
 *       timeout of a drain nothing is renewed any more: what ends within its window is recorded, the lease of the
 *       others expires, and its successor claims after that.
 *   <li><b>Document and rows.</b> A change is one guarded update of one document, which shows its rows in full: {@code
 *       lastStatus}, and {@code olderRows} if it makes several. They are inserted once the document is acknowledged, by {@code
 *       HistoryWriter}, for which neither slot nor lease waits: if the status collection is slow, rows gather in memory, the
 *       node claims nothing once half of the room is taken, and ends wait under their leases once all of it is. So a row
 *       is true, and no guard, claim, decision or recovery reads one. A change that replaces what a document shows, or
 *       deletes it, first sees to it that this is stored (rule N3): from the document as a majority has it, so that it is
 *       true whether the change is applied or not. The sender dies after the document: the rows come with the next change, or with the
 *       next repair. Two die in a row: the second one had stored what it hid. A row that the server refuses for good holds
 *       up nothing, and is missing once it is hidden. The row of a creation is excepted, which would cost each job one more:
 *       it is lost if its process dies before it is written and the next change comes before the repair.
 *   <li><b>Complete.</b> The end is such a change: its document is guarded by its revision (rule N6), and {@code doneSeq}
 *       becomes this claim's number. Reply lost: the same change is repeated. Refused, and the document
 *       shows the number that was drawn for this change, as its newest change or its newest end: an earlier try was
 *       applied (rule N7), and its rows are written. Refused, and the revision is lower than that of the held copy: the
 *       reading is older than the acknowledged state, and is made again. Refused, same token, other revision: a user
 *       changed the job, or took its slot, so the end of the run is decided again on the new document; the refused decision
 *       has left no row. Refused, other token: lost. The window is checked before each of these writes. A write
 *       whose first copy comes after it was repeated and after the next one finds another revision, and undoes nothing. The next
 *       fire cannot be planned on this node, for example because a calendar is unknown: the end is an end all the same
 *       (rule N8). The document keeps the row as its verdict, {@code doneSeq} follows, and the job is due at once. A claim
 *       that finds a verdict runs nothing: it plans what follows, or releases the job to a node that can. If that claim is
 *       abandoned, the next one finds the verdict again. Until then a user's new schedule is noted as under a lease, a
 *       pause holds, and a cancel ends the job. A
 *       one-off of history TROUBLE that succeeded is deleted instead, under the same guard. Reply lost: the document
 *       is gone, this node has sent that deletion, and the window is still open, so no other node can have ended it:
 *       applied. A document that cannot be read is not gone: it is asked for by its key, too. If the window is over
 *       by then, the run counts as lost here, and no node runs it again, since no document is left to claim. Hangs: other
 *       writes do not wait for it, unless as many hang as connections may be spared for them. A batch failed: its changes
 *       are sent in smaller batches, split like renewals, after growing pauses. Refused by the server for good: that
 *       change alone. An earlier copy of it may have been applied without an answer, so its document is read first:
 *       applied, it is the end. It cannot be read: the change is sent again after a pause, as long as the window is
 *       open. Not applied: the job is blocked with the server's reason. If the change would have ended a run, the
 *       run has ended: its row goes into the document without state, note and message of the error, which may have been too
 *       large, and what follows is planned after the repair. Otherwise {@code doneSeq} stays, and the claim that follows an
 *       update recovers this one. If no helper was called under this claim, the block removes the mark of it, as a
 *       release does. If not even the block can be
 *       written, the lease is left to expire. An exception that is neither an unknown outcome
 *       nor a refusal may pass: the change is repeated alone, after growing pauses: five times, or for half a minute
 *       if it is an Error. After that the cause may be this process's own, and nothing that it does blocks the job
 *       for others. If the helper was called, this node gives the claim up: it writes and renews nothing more, and
 *       backs off from the job for 30 s beyond a lease, so that the next claim is another node's. That one recovers
 *       the claim as that of a dead node: if the document was written after all, there is nothing to recover; else it is
 *       abandoned, and counts towards {@code abandonedLimit}. A write of this node that hangs until
 *       then is refused by its revision. If the helper was not called, the claim is released, as below,
 *       and costs no attempt; if that cannot be written either, it is given up. That holds for every step of such a
 *       write, from reading the calendars to taking note of the answer: what is thrown there costs none of the
 *       changes of a batch, and those that are through already are not sent again. A change whose next try cannot be
 *       planned is tried no more. The same holds for storing
 *       follow-ups ({@code Tries}); after as many claims as {@code abandonedLimit} allows they count as refused, so
 *       that the job goes on.
 *   <li><b>State and progress.</b> The state for the next run is part of the write that ends
 *       the claim, under the same guard; so it is saved together with the end of the run that
 *       set it, or not at all. Users' changes never write a state. A timeout, a failed attempt and a
 *       shutdown are ends like others. Progress is written by renewals, guarded by id and token; the end of the lease
 *       and the next claim remove it. Reply lost: it is written again. It arrives late: it matches no token, or an
 *       older progress is shown for a while; no decision uses it.
 *   <li><b>Follow-ups.</b> An end that has follow-ups is written in three steps under one lease. First the verdict:
 *       phase FOLLOW and a copy of the row of the end are written to the document, guarded by its revision;
 *       the row itself, lease, plan and {@code doneSeq} are not changed yet. Then the follow-ups are inserted, and only
 *       if the verdict was acknowledged: no follow-up is stored unless its run has ended as the verdict says. Then the
 *       completion, as of any run; refused follow-ups have rows of their own before it. Reply of the verdict lost: it
 *       is repeated; nothing is inserted yet. The insert has no token, so it may arrive at any time, even after the
 *       lease and after the completion. Its ids are derived from the job, the claim of the verdict and the position,
 *       and the verdict stays the same until the completion: so a second insert finds the first. A finished follow-up
 *       is kept for at least a day, with any retention and history; no insert is in flight for that long. One
 *       that was refused because its key was taken may still come late, once. Reply lost or hung: inserted again while
 *       the window is open, then by the successor. The holder dies: its successor finds phase FOLLOW, never runs the
 *       job, inserts and completes. A user's change
 *       between: the completion is decided again, and the follow-ups are those of the document when they are inserted.
 *       A cancel is noted, even without a lease, since finishing the job at once would lose the follow-ups. The next
 *       fire cannot be planned here: as of any end.
 *   <li><b>Skip and postpone.</b> A helper that skips or postpones its fire ends the run like others, by the same
 *       write. The time of a postponement is bounded when the run ends, and is the next fire of the row, so that a
 *       repeated decision makes the same plan. How often a fire was postponed is counted
 *       in the document, in the write that postpones it. A pause
 *       after failures is part of the write that plans the next fire, with a second row.
 *   <li><b>Recover.</b> There is no sweeper: an expired lease is simply due again. {@code claimSeq - doneSeq > 1} shows
 *       the claimer that an earlier claim ended without a recorded outcome. That is recorded
 *       under the new token before anything is run: a change with an ABANDONED row sets {@code doneSeq} to the claim before
 *       its own and counts it in {@code crashes}, which any end of a run sets back (rule N8). What follows without a run
 *       (CRASHED, too many, cancelled) is the same change. Reply lost: the claimer's own claim
 *       then is the next one that ended without a recorded outcome. The same write marks the plan ({@code rerun})
 *       unless the crash policy forbids it: the fire may have been started, so it runs before missed fires are judged.
 *   <li><b>Missed fires.</b> A holder that finds fires passed moves the plan behind them, with their row in the same
 *       change. So a MISSED row says that the plan has passed its fires, and no claim runs one of them. Refused, other
 *       revision: decided again on the new document. Refused, other token, or late: the successor decides about the same
 *       fires.
 *   <li><b>Release of a claim.</b> Guarded by the revision; {@code due} becomes the fire again. {@code doneSeq}
 *       follows unless an abandoned claim is not on record yet, so that the next claimer recovers it. A mark of
 *       {@code startedSeq} for a helper that was not called is removed, too. If the job is to be cancelled it ends
 *       here. Listeners are notified of a release, as of a job that is blocked, once the write is acknowledged; if
 *       the lease is lost before that, they are notified of the loss only. A run that a user asks for makes a job
 *       without a lease due at once, but not while a failure command waits for its retry: a claim before that could do
 *       nothing but release the job, over and over.
 *   <li><b>What a node cannot read.</b> A command is decoded on the thread of its run, before a helper is chosen:
 *       nothing has started. The codec throws an IllegalArgumentException: the body does not fit its type, on any node,
 *       and the job is blocked. It keeps its plan: once a user has corrected it, the next claim finds the fires that have
 *       passed, or the retry. Another schedule carries them, as below; an earlier fire that an edit of its calendars has
 *       opened is planned in its place; a job of which an earlier claim is still to be recovered keeps {@code doneSeq}. Codec or upcaster throw anything else, Errors included: the cause may be this node's
 *       own, such as a class, memory, a key or a service that it does not have. The claim is released, without an
 *       attempt; this node backs off from the job for 30 s, and {@code health()} reports it; other nodes can claim it.
 *       If it fails on all nodes, the job stays due, and {@code checkInvariants} finds it. Reply of the release lost:
 *       as of any other.
 *   <li><b>Users.</b> Compare-and-set on the revision that was read. Without a lease it takes effect
 *       at once. With a lease it notes the request and raises the version; {@code due}, lease and plan are left
 *       alone, so a holder that dies is still recovered; only an acknowledgement sets the count of failures in the plan. A node that learns of such a request for a claim of its own,
 *       from the user's change or by reading, may have written under that claim meanwhile, also without another
 *       version. So it takes over only a copy that has a later version and the counters, plan and phase that it knows;
 *       without it, its next write is refused, and is decided again. After CANCELED nothing starts: CANCELED is answered only if
 *       the document held no lease when it was finished, or one that was over, margin included, and a finished
 *       document cannot be claimed. A lease that is over is taken away as it was read, its end
 *       included: a renewal that was under way may arrive between reading and writing, and its holder then trusts the
 *       lease again. Its rows follow
 *       its document, as with any change; a row that the holder has written since the reading has raised the revision, so
 *       the request is decided again.
 *   <li><b>Changed schedules.</b> The one that changes the schedule of a recurrence, by any door, finds by the schedule that is
 *       replaced which fires have passed until then, the moment C of the change, and have not begun: only the document
 *       before the change can tell. The newest is carried: a plain instant, due at once. The older ones are missed, with
 *       one row in the same change. Without a lease, and if nothing is in progress, the plan becomes the carried fire, with
 *       C ({@code plan.carried}); the first fire of the new schedule after C follows it. If a fire may be in progress (a
 *       lease, an earlier claim to be recovered, a retry, a postponed fire, a failure command, follow-ups), the
 *       plan is left alone, and the request notes C and the carried fire ({@code ScheduleChange}). Then the fire in progress
 *       counts as begun, whether its helper was called or not: if it was not, it is still in the plan when its claim is
 *       released or its manual run has ended, and the next claim applies the change. It carries the fire itself, or records it
 *       as missed if the change carries a newer one, plan first, as with other missed fires. So each fire not later
 *       than C is run, carried, or on record, and each later one is the new schedule's. A second change does the same with
 *       what lies between C and its own moment; a fire that was carried and has not begun is missed then if there is a newer
 *       one. A carried fire has no basis, so no edit of a calendar and no rules of a zone move it, and no calendar is
 *       asked about it; it is judged with the fires of the new schedule that have passed by its claim. A one-off has one
 *       fire, which its user moves: nothing is carried, and an attempt that fails is not retried at the old moment.
 *       The former calendars are not known here, or throw: only the planned fire is looked at, and the row says so.
 *       Schedules that differ in their writing only are equal, so nothing of this happens. The write is that of any
 *       request: refused, it is decided again on the document as it is then, with its own C.
 *   <li><b>At most once.</b> For crash policy FAIL, {@code startedSeq} is written under the token and acknowledged
 *       before the helper is called. A successor that finds it fails the fire; one that does not find it knows that no
 *       helper was called. A claim may be decided again after its own mark, when a user changes the job before its
 *       helper is called: then only marks of earlier claims count. A user sets the policy during a claim: its helper
 *       may have been called without a mark, so the write of that change makes the mark, for this claim or, if it still
 *       recovers an earlier one, for that. If the helper was not called, the release removes the mark of its own claim,
 *       as usual.
 *   <li><b>Exclusive groups.</b> The claim of a job of a group takes a slot of it ({@code runningGroup}) in the same
 *       atomic write as the lease; a unique index lets one document have each. It goes with the lease: in the write
 *       that ends it, or, once the lease and its margin are over, by a claim that finds no other slot free, which raises the
 *       revision of the job that loses it. By then the holder's trust has ended, so that it starts and writes nothing more. Reply of the claim
 *       lost: the slot is held until the lease is confirmed or over. A job that is claimed again takes a slot again,
 *       its own if it has that still, or waits. How many slots there are, and at which rate they are taken, is in the
 *       description of {@code engine.claim}.
 *   <li><b>Pauses.</b> Nothing is claimed unless the pauses and calendars were read less than 0.7 s before;
 *       with the lead of a claim that makes a second, and the start asks once more. A pause that was acknowledged
 *       before the last reading is in it, so it holds from one second after its acknowledgement. No write rests on it:
 *       a pause that comes too late for a start is like one that comes during the run. What is known of due jobs is
 *       forgotten whenever a pause begins or ends, and the store is looked at again.
 *   <li><b>Calendars.</b> A plan names the versions of the calendars that it was made from (rule N9), so one question, "is
 *       it older than what I have read", is asked wherever plans are met. Who decides a claim or an end has read the
 *       calendars within 0.7 s, and reads them first if the plan is newer than that. A claim plans an older fire again
 *       before it starts. Each node that sees an edit plans the waiting jobs of the calendar that are older; its own older
 *       plans that are under way then are found when they are acknowledged, and what a node did not live to see, or a
 *       caller's transaction has committed since, by the pass. A run that waited for a thread checks again that its fire
 *       is open. A manual run leaves the plan, which may have no fire, or a late one: so its end plans the fire anew. A
 *       calendar that throws, or does not return for a lease, keeps only its own jobs from being planned, and they are
 *       tried again after growing pauses.
 *   <li><b>Looks.</b> A look may return a state from before a claim, a completion or a user's change that this node
 *       knows of: jobs that were claimed or changed here since the look began are not taken from it. A hint that comes
 *       while the claim of its job is under way waits for the end of the claim. A claim on old knowledge is refused by
 *       its guard and costs a round trip.
 * </ol>
 *
 * <h2>The clock argument</h2>
 *
 * All times that are written or compared are estimates of the server's time ({@code ServerClock}): a measured moment and
 * what the monotonic clock has counted since. All deadlines are the monotonic clock's.
 *
 * <ol>
 *   <li><b>The wall clock is set</b>, at any moment, between any two lines: only measurements read it, and a
 *       measurement during which it was set is repeated. It only shows that something has happened: while it disagrees
 *       with the monotonic clock, no claim is made, no run starts, no lease is renewed and nothing is recorded until
 *       the server was asked again.
 *   <li><b>The machine is suspended</b>, and its monotonic clock with it: trust windows that are over seem open. The
 *       wall clock shows it as above. The measurement finds the server ahead of the estimate, and what was missed is
 *       added to the monotonic clock, so that the windows are over before anything else is done. By how much the wall
 *       clock is ahead does not tell how long the machine stood still, since it may have been set as well. A helper that
 *       asks before the measurement has the time measured ({@code assertOwned}; no answer of the server = lost), or
 *       learns that nothing is certain ({@code remainingLease} is zero). What remains is a machine whose wall clock
 *       stood still as well, or was set back by just that time: only the fencing number protects from its runs.
 *   <li><b>The server's clock goes on by a jump</b>, as with a new primary: every lease is that much shorter. The jump
 *       is treated as time that was missed. If the clock goes back, leases last longer; that only costs time.
 *   <li><b>The reply is slow</b>: the estimate stays as it was, and is asked for again. An answer that is less certain
 *       than what is known already replaces it only if the two contradict each other. Before the first answer that
 *       counts there is only the wall clock, which is not trusted: a node claims nothing, and requests of users are
 *       refused with a {@code StoreException} before anything is written, since a lease might be taken for over.
 *       {@code health()} is DOWN if that lasts.
 * </ol>
 *
 * Each step has its tests: {@code RunningTest} over memory and a real server, {@code ClockTest} for clocks, {@code
 * Simulation} under slow, lost and torn calls, and the module fault-tests on real processes.
 */
@NullMarked
package dev.almanac.engine;

import org.jspecify.annotations.NullMarked;
