/**
 * The store on MongoDB. Start with {@link dev.almanac.mongo.MongoJobStore}; {@code SpecificationDocument} and
 * {@code RowDocument} say how a job and a row look in the Mongo shell, {@code Indexes} which indexes there are.
 *
 * <h2>Round trips</h2>
 *
 * Per batch of any size: a look 1, a claim 2 (the guarded update, the read-back), a renewal 2, a completion 2 (rows,
 * documents) and 1 for the stamps. A claim of one job: 1. Jobs that are scheduled: 2 per thousand. A test counts them.
 *
 * <h2>Which changes of a batch were applied</h2>
 *
 * A bulk write answers with counts. If as many documents matched as there are changes, all were applied; a single
 * change is answered by its count. Else the documents are read again, as the majority has them, and each change is
 * judged by what it alone can have left there:
 *
 * <ul>
 *   <li>One that ends a claim with a word: {@code doneSeq} equals the number of that claim. Only the claim's holder
 *       writes that number. Had a successor taken over, it would write its own, higher one: such a document answers
 *       false, and the caller finds that the lease is lost.
 *   <li>One that gives a claim back silently: the lease is gone and {@code claimSeq} is still that claim's. Only
 *       its holder takes a lease away; a successor's claim would have counted on.
 *   <li>One that keeps the lease: the document has the holder's token, and version, counters, plan, requests and
 *       newest row as the change gave them.
 * </ul>
 *
 * Where a document has moved on in between, false is the answer though the change was applied; the caller reads it
 * again in any case (rule P4). Changes that users ask for are written one at a time, so that their count is exact.
 *
 * <h2>What changes share</h2>
 *
 * The completions of a batch often say the same: same version, token and claim before, same end after. Such changes go
 * as one {@code updateMany} over their ids, since the server takes as long to read and plan an update as to carry it
 * out. The guard is the same for each document and is judged for each by itself, so a job that a user has changed, or
 * another node taken, is left out and the others are not; the counts, summed, answer as before. Cut off in the middle,
 * it leaves some documents changed, as a bulk of single updates would; the caller sends it again word for word. A
 * document that cannot be updated, since hands have damaged it under its lease, stops the update that it shares: then
 * each change goes by itself, and the one that fails again was not applied.
 *
 * <p>Jobs of history TROUBLE that went well are deleted, alike ones by one {@code deleteMany} with the same guard.
 * If the counts of a batch are short, a document that is gone answers true: under a lease whose window is open, nobody but
 * its holder finishes or deletes it, so it was this deletion or an earlier try of it. One that is still there was changed
 * or taken, and answers false. A deletion that arrives late finds another token, another version or no document: a
 * key that was scheduled again has another id. Single statements would give each its own count, and cost the server a
 * statement for each job.
 *
 * <p>To let jobs with different fires share, the holder of a lease writes of {@code lastStatus} only what differs, and
 * the copy names its row without the id of the job. That is right for the holder alone: nobody else changes
 * {@code lastStatus} without a new version, which the guard would refuse. The holder itself does so under its lease,
 * keeping the version, so a change that a user has decided on meanwhile replaces {@code lastStatus} as a whole.
 *
 * <h2>What is read how</h2>
 *
 * Writes wait for the majority. Documents on which a decision rests that is not guarded by a later write are read as
 * the majority has them: {@code find}, {@code load}, and the question above. Looks for due jobs and listings are read
 * from the primary as they are; the read-back of a claim follows an acknowledged write of the majority.
 *
 * <h2>Indexes that are not there</h2>
 *
 * Lists go through {@code activeKey}, which gives their order and their pages and makes a key prefix a range. They
 * filter by requestor, tag, application, status or next fire while they go: each further index would cost every
 * schedule call for the sake of questions that people ask now and then.
 */
@NullMarked
package dev.almanac.mongo;

import org.jspecify.annotations.NullMarked;
