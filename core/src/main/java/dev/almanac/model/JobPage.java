package dev.almanac.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs.
 *
 * @param jobs in the order of their keys; fewer than asked for if there are no more, or if the query has a window
 * @param damaged jobs of the same page whose documents cannot be read, such as after an edit by hand
 * @param lastKey where the next page begins ({@link JobQuery#after(String)}); absent = there is none
 */
public record JobPage(
        List<Job> jobs, List<Damaged> damaged, @Nullable String lastKey) {
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
