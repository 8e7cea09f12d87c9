/**
 * Changes that users request. Start with {@code Registrar}: a request for one job. {@code Actions}, {@code Reruns},
 * {@code Reconciler} and {@code Backfill} make many of them. {@code StoredCalendars} edits calendars,
 * {@code UnansweredChanges} finds out what became of a change without an answer.
 *
 * <h2>Saving a job and deleting its calendar</h2>
 *
 * Each looks for the other after its write, and takes its own back: not both succeed. Except in a caller's transaction,
 * which shows its job with the commit: no node runs it, which {@code explainJob} reports.
 *
 * <h2>Many at a time</h2>
 *
 * {@code Pipeline} keeps four calls in flight, in their order for each key. Each works as it would alone, with its own
 * guard and result. Reply lost of a change: calls in flight are completed, no other is made, and the caller may repeat
 * the request. Of a part of {@code scheduleJobs}: what is found by its ids was stored, the rest is unknown; if all of it
 * is scheduled again, a one-off that has ended runs once more.
 *
 * <h2>New jobs</h2>
 *
 * {@code SharedInserts} stores new jobs by natural batching: two inserts are in flight, not counting one that hangs.
 * Reply lost: the documents are read by their ids, and one that is missing may still arrive: its outcome is unknown.
 * Late, after the caller has asked again: both are the same life of the key (N6), and each is stored once. Except with
 * history TROUBLE, which deletes a document with its life: there a late request brings an ended job back.
 */
@NullMarked
package dev.almanac.engine.request;

import org.jspecify.annotations.NullMarked;
