package dev.almanac.model;

import org.jspecify.annotations.Nullable;

/**
 * The result of planning many jobs again.
 *
 * @param looked how many jobs were examined, 0 or more
 * @param moved how many of them have another next fire now
 * @param blocked how many of these have no fire left, and wait for another edit
 * @param failed how many could not be planned again, since a calendar threw; they keep their fires until live nodes, which
 *     try again, or another edit plan them
 * @param failure the first of these jobs, and what a calendar threw for it; absent if there is none
 * @param complete whether all were planned again; false also if the time limit of the edit was reached first: live nodes plan
 *     the other jobs
 */
public record ReplanResult(
        long looked,
        long moved,
        long blocked,
        long failed,
        @Nullable String failure,
        boolean complete) {
    /** There was nothing to plan again. */
    public static final ReplanResult NONE = new ReplanResult(0, 0, 0, 0, null, true);
}
