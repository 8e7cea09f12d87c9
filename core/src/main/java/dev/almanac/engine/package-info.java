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
 * {@code Wiring} puts the parts together, {@code Engine} starts and stops them. Calls go from left to right. Against
 * this direction go {@code Signals} (a lost one delays work until the next look), {@code StartGate} (what was read of
 * pauses and groups) and {@code HeldJob.Run} (a claim asks the code of its run to end). {@code Insight} answers
 * questions; {@code RepairDuty} writes the rows that a crash has left out.
 *
 * <h2>What runs where</h2>
 *
 * <ul>
 *   <li>The {@code Kernel}, one thread, owns what a running node holds: claims ({@code HeldJobs}), their writes
 *       ({@code HeldWrites}, {@code WriteQueue}), renewals ({@code LeaseDuty}), due jobs ({@code LookAhead},
 *       {@code LookPlan}, {@code BackOff}), {@code Slots}, calls under way ({@code StoreCalls}), timers, the
 *       {@code Drain}. No step of it waits: {@code Kernel.call} sends values to a thread, and what comes of it is a
 *       step again.
 *   <li>{@code HeldJob} is shared with the thread of its run: state, start and window are one atomic value.
 *       Thread-safe are {@code ServerClock}, {@code CalendarBook}, {@code ControlView} and {@code HistoryWriter}.
 *   <li>Lanes, each with its own work: {@code look} (looks, claims, pauses), {@code watch} (hints of the store),
 *       {@code node} (reports, the server's clock), {@code rows} (status rows), {@code upkeep} (counts, purging,
 *       repairs), {@code plan} (plans that calendars or zone rules move).
 *   <li>A thread for each call that may hang: {@code complete}, {@code renew}, {@code follow}, {@code ask},
 *       {@code farewell}, {@code insert} and {@code change} (the store), {@code decide} (interrupts, decisions that ask
 *       or read), {@code hand-over} (an executor that may block), {@code calendars}, {@code events} (listeners).
 *       Helpers and the codec run on the executor of the service, requests on the thread of their caller.
 * </ul>
 *
 * <h2>The lease argument</h2>
 *
 * A lease is a random token and an end, in the document of the job; {@code claimSeq} is its fencing token. Its holder
 * trusts it in a window that begins when the acknowledged claim or renewal was sent and lasts for the lease less the
 * margin. The next claim comes no earlier than the skew allowance after the end of the lease. So two nodes never trust
 * leases of one job at a time, as long as their estimates of the server's time err by less than the skew allowance. A
 * live job that is neither paused nor blocked has a {@code due}, so it is claimed again. Each step has its guard, and
 * says what happens if the reply is lost or late, or the holder dies.
 *
 * <ol>
 *   <li><b>Claim.</b> A compare-and-set, since a look may be old: due, live, group and slot as they were seen. It sets
 *       the lease, raises {@code claimSeq} and {@code rev}, and moves {@code due} past lease and margin; so of several
 *       claims one wins. Reply lost: nothing starts; {@code DoubtfulClaims} renews by the token: what that has
 *       lengthened is held, the rest expires. Late: used as it is, since the window counts from the sending; of two
 *       claims of a job the higher {@code claimSeq} counts. Holder dies: recovery.
 *   <li><b>Start.</b> Not before its time, in the window, and only if document, pauses and groups were read less than
 *       a second ago; otherwise they are read first, and a job that was changed is decided again. Reply of that
 *       reading lost: it is read again in the window. Late: the next step looks at the window. Holder dies: recovery.
 *   <li><b>One state.</b> A run is waiting, running, ending or over. The helper is called by the step from waiting to
 *       running, which needs an open window. Release, drain and an interrupt before the start are the step from
 *       waiting to ending. So what was released or lost is never started, however late the executor calls, and what
 *       was started is never released. A check that finds the window closed closes it for good.
 *   <li><b>Renew.</b> Guarded by id and token; end and {@code due} only grow, so copies may arrive in any order. An
 *       acknowledged one moves the window to its sending. Not named in the answer: the lease is lost, the run is asked
 *       to end, and nothing more is written. No reply within a sixth of the window: the window stays, and the batch is
 *       split ({@code BatchSplit}). Late: it counts if the window was not found closed. Holder dies: the lease ends.
 *   <li><b>End of the code.</b> A run holds its lease, slot and group until its code has ended: the helper has
 *       returned, its stage and those of {@code holdUntil} are completed. Timeout, interrupt and drain only ask it to
 *       end; after the timeout of a drain nothing is renewed. A lost lease, or its release by force, which leaves
 *       {@code doneSeq}, records no end. The end fails on its thread: {@code RunParts} repeats it. Holder dies:
 *       recovery, also after the row of a timeout.
 *   <li><b>One write.</b> A change is one compare-and-set on {@code rev} of one document (N1, N6), which shows its
 *       rows. {@code HistoryWriter} inserts them after the acknowledgement. Rows that a change hides or deletes are
 *       stored before it (N3), except that of a creation. No guard, claim, end or recovery reads a row. Sender dies in
 *       between: the next change, or the repair, inserts what the document shows.
 *   <li><b>Complete.</b> The end is one such change, with the state for the next run; {@code doneSeq} follows. Writes
 *       of one job go one after the other, and the window is checked before each. Reply lost: it is sent again.
 *       Refused: the document is read. It shows the change: applied. A lower {@code rev} than is known: tried again.
 *       The same token: decided again on what was read. Another: lost. Gone, after a deletion and in the window:
 *       applied. Late: {@code rev} refuses it. Holder dies: recovery.
 *   <li><b>What cannot be planned or written.</b> The next fire cannot be planned here, or its calendars give no answer
 *       within a lease: the end stands as the verdict, due at once; who claims it plans, and runs nothing (N8). The
 *       server refuses the change for good: the job is blocked, with the end if it had one. The write fails otherwise,
 *       again and again ({@code Tries}): a claim that has run is given up, to be recovered elsewhere; any other is
 *       released.
 *   <li><b>Recover.</b> {@code claimSeq - doneSeq > 1} shows a claim without an end. Before anything runs, one change
 *       records ABANDONED, sets {@code doneSeq} to the claim before its own, counts in {@code crashes}, and marks the
 *       fire to run again. What follows without a run (CRASHED, too many, cancelled) is the same change. Reply lost or
 *       late: as in Complete. Holder dies: the next claim recovers that, too.
 *   <li><b>At most once.</b> With crash policy FAIL {@code startedSeq} is acknowledged before the helper is called. A
 *       recovery that finds the mark of an earlier claim fails the fire; without it no helper was called. A release
 *       removes its own mark. A user who sets the policy under a lease makes the mark, since a helper may run. Reply
 *       lost or late: as in Complete.
 *   <li><b>Release.</b> A claim that has run nothing ends as in Complete: {@code due} is its fire again, and
 *       {@code doneSeq} follows unless an earlier claim is to be recovered. Not written in the window: the lease ends,
 *       and the claim counts as abandoned.
 *   <li><b>Follow-ups.</b> First the verdict (phase FOLLOW), then the inserts, then the end; one lease. Ids come from
 *       the job, the claim of the verdict and the position, so an insert is idempotent, however late. Reply lost:
 *       inserted again. Holder dies: the next claim finds FOLLOW, runs nothing, inserts, and ends. A cancel is only
 *       noted, also without a lease.
 *   <li><b>Requests.</b> A compare-and-set on the {@code rev} that the user's thread has read. Under a lease it is
 *       noted; {@code due}, lease and plan stay, and the holder decides its next write again. A lease that is over is
 *       taken away only with the end that was read, since a renewal may be under way. Reply lost:
 *       {@code UnansweredChanges} (N7). That a job does not exist takes a linearizable read (P11). After CANCELED
 *       nothing starts: the document had no lease in force, and is claimed no more.
 *   <li><b>Fires.</b> A claim that finds fires passed moves the plan behind them, with their row in the same change. A
 *       change of a schedule accounts for the fires until then by the schedule that it replaces
 *       ({@code ChangedSchedule}); while a fire is in progress, it is noted for after that. So each fire is run,
 *       carried or on record.
 *   <li><b>Groups.</b> The claim takes a slot in the same write, under a unique index. It goes with the lease; or,
 *       once that may be claimed again, to a claim that finds no other free, which raises {@code rev}. See
 *       {@code engine.kernel}.
 *   <li><b>Pauses and calendars.</b> A claim needs a reading of the last 0.7 s, a start one of the last second. What
 *       was acknowledged before is in it, except for about a second after an election. A later pause is like one that
 *       comes during the run. A plan names the versions of its calendars (N9): who finds it older plans again, who
 *       finds it newer reads first. A plan written late is found by its acknowledgement, or by the repair. A calendar
 *       that throws or hangs holds up its own jobs.
 * </ol>
 *
 * <h2>The clock argument</h2>
 *
 * Times that are written or compared are estimates of the server's time ({@code ServerClock}): a measured moment, and
 * what the monotonic clock has counted since. Deadlines are the monotonic clock's.
 *
 * <ol>
 *   <li><b>The wall clock is set.</b> A measurement during which it was set is repeated. Otherwise it only tells that
 *       something has happened: while it disagrees with the monotonic clock, nothing is claimed, started, renewed or
 *       recorded until the server was asked.
 *   <li><b>The machine is suspended</b>, and its monotonic clock with it. The wall clock shows that, and the
 *       measurement adds what was missed to the monotonic clock, so windows that are over close first. A helper has it
 *       measured by {@code assertOwned}. If the wall clock stood still as well, or was set back by just that time,
 *       only the fencing token protects.
 *   <li><b>The server's clock jumps.</b> Forward, as with a new primary: leases are shorter, so it counts as missed
 *       time. Back: they last longer.
 *   <li><b>The reply is slow.</b> The estimate stays, and is asked for again. Before the first one that counts, a node
 *       claims nothing, and requests get a {@code StoreException} before anything is written.
 * </ol>
 *
 * <h2>Failure of the kernel</h2>
 *
 * A step that throws ends a generation of the {@code Kernel} (N14): its timers and the answers to its calls are dropped.
 * What outlasts it: each {@code HeldJob} with its window, its run and its writes that are not acknowledged, and each
 * claim that is not answered. The {@code Supervisor} has each part derive the rest: a write is sent again as it was
 * decided (N7), a claim whose answer was lost is in doubt, a claim without a run is decided again, a run that was not
 * called is handed over again and called once. Three failures within a minute: all of that is given up, as with a dead
 * holder, and the node goes on under another identity. What one decision throws concerns its job only (N15).
 *
 * <h2>Tests</h2>
 *
 * {@code ExplorationTest} tries each fault at each call of short scenarios, {@code Simulation} random ones, and finds
 * each of {@code Mutants}, which lack one guard each. {@code RunningTest} and {@code ClockTest} test the steps, the
 * module fault-tests real processes, the folder {@code protocol-model} the argument as a program.
 */
@NullMarked
package dev.almanac.engine;

import org.jspecify.annotations.NullMarked;
