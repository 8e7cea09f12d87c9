package dev.almanac.store;

import java.util.List;

/**
 * A page of documents.
 *
 * @param jobs those that could be read, in the order of their keys
 * @param damaged those that could not
 * @param more whether further documents follow
 */
public record JobList(List<StoredJob> jobs, List<DamagedJob> damaged, boolean more) {}
