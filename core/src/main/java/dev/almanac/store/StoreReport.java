package dev.almanac.store;

import java.util.List;

/**
 * The report of a store when it was opened.
 *
 * @param description the server and where it is, without credentials
 * @param partitions number of claim partitions, fixed when the store was created
 * @param purges whether expired documents are removed by the server; otherwise the purge duty does it
 * @param warnings for the operator, such as a standalone server
 */
public record StoreReport(String description, int partitions, boolean purges, List<String> warnings) {}
