/**
 * The store on MongoDB. Start with {@link dev.almanac.mongo.MongoJobStore}; {@code SpecificationDocument} and
 * {@code RowDocument} define the documents of a job and a row, {@code Indexes} which indexes there are.
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
 * judged by the number that its sender has drawn for it
 * (rule N7): it was applied if the document shows that number as its newest change, its newest end, or its newest request.
 *
 * <p>If a document has changed again in between, the answer is false although the change was applied; the caller reads it
 * again in any case (rule P4). Changes that users ask for are written one at a time, so that their count is exact.
 *
 * <h2>What changes share</h2>
 *
 * The completions of a batch are often equal: the same revision before, the same end after. Equal changes are
 * sent as one {@code updateMany} over their ids, since the server takes as long to read and plan an update as to carry
 * it out. The guard is the same for each document and is evaluated for each separately, so only a job that a user has
 * changed, or that another node has claimed, is left out; the sum of the counts answers as before. If the update is
 * interrupted in the middle, some documents are changed, as after a bulk of single updates; the caller repeats it. A
 * document that cannot be updated, because it was edited by hand under its lease, stops the update that it shares: then
 * each change is sent by itself, and the one that fails again was not applied.
 *
 * <p>Jobs of history TROUBLE that succeeded are deleted, equal changes by one {@code deleteMany} with the same guard.
 * If the counts of a batch are too small, the answer for a missing document is true: under a lease whose window is
 * open, only its holder finishes or deletes it, so it was this deletion or an earlier try of it. A document that still
 * exists was changed or claimed, and the answer is false. A deletion that arrives late finds another
 * revision or no document: a key that was scheduled again has another id. Single statements would give each its own
 * count, and cost the server a statement for each job.
 *
 * <p>So that jobs with different fires can share an update, the holder of a lease writes only the changed fields of
 * {@code lastStatus}, and the copy names its row without the id of the job.
 *
 * <h2>What is read how</h2>
 *
 * Writes wait for the majority. Documents for decisions that no later write guards are read with read concern majority:
 * {@code find}, {@code load}, and the check above. What they do not find is asked for again with read concern
 * linearizable, which {@code JobReads} argues; so are the rows by which a run is recovered. Looks for due jobs and listings use the default read concern of the
 * primary; the read-back of a claim follows an acknowledged write of the majority.
 *
 * <h2>Indexes that are not there</h2>
 *
 * Lists use the index on {@code activeKey}, which gives their order and pages and makes a key prefix a range. Filters
 * by requestor, tag, application, status or next fire are applied to the documents: each further index would make every
 * schedule call slower, for queries that are rare.
 */
@NullMarked
package dev.almanac.mongo;

import org.jspecify.annotations.NullMarked;
