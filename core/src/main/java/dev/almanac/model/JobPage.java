package dev.almanac.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs.
 *
 * @param jobs in the order of their keys; fewer than asked for if there are no more, if the query has a window, or
 *     if they are large
 * @param damaged jobs of the same page whose documents cannot be read, such as after an edit by hand
 * @param lastKey where the next page begins ({@link JobQuery#after(String)}); absent = there is none
 * @param windowOver whether it ends there because the window of the query was examined; not if it is full, or if its jobs are
 *     so large that more of them do not fit into memory
 */
public record JobPage(
        List<Job> jobs, List<Damaged> damaged, @Nullable String lastKey, boolean windowOver) {
    /**
     * A job whose document cannot be read.
     *
     * @param jobSpecificationKey its key, or a question mark if that cannot be read either
     * @param id of the document; absent = the key can be read, which is enough to find it
     * @param reason what is wrong with the document
     */
    public record Damaged(
            String jobSpecificationKey, @Nullable String id, String reason) {}
}
