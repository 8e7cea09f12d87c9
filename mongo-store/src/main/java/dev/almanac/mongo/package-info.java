/**
 * The store on MongoDB. Start with {@link dev.almanac.mongo.MongoJobStore}; {@code SpecificationDocument} and
 * {@code RowDocument} say how a job and a row look in the Mongo shell, {@code Indexes} which indexes there are.
 *
 * <h2>Round trips</h2>
 *
 * Per batch of any size: a look 1, a claim 2 (the guarded update, the read-back), a renewal 2, a completion 2 (rows,
 * documents) and 1 for the stamps. A job that is scheduled: 2.
 *
 * <h2>Which changes of a batch were applied</h2>
 *
 * A bulk write answers with counts. If as many documents matched as there are changes, all were applied. Else the
 * documents are read again: a change that ends a claim was applied if {@code doneSeq} has reached that claim, since
 * only its holder writes that number; a change that keeps the lease was applied if the document still has the
 * holder's token, and the plan, counters and newest row that the change gave it. Changes that users ask for are
 * written one at a time, so that their count is exact.
 */
@NullMarked
package dev.almanac.mongo;

import org.jspecify.annotations.NullMarked;
