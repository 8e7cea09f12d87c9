package dev.almanac.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs.
 *
 * @param jobs in the order of their keys
 * @param lastKey where the next page begins ({@link JobQuery#after(String)}); absent = there is none
 */
public record JobPage(List<Job> jobs, @Nullable String lastKey) {}
