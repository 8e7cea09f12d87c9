package dev.almanac.model;

/**
 * The result of planning many jobs again.
 *
 * @param looked how many jobs were examined, 0 or more
 * @param moved how many of them have another next fire now
 * @param blocked how many of these have no fire left, and wait for another edit
 * @param complete false if the time limit of the edit was reached first; live nodes plan the other jobs
 */
public record ReplanResult(long looked, long moved, long blocked, boolean complete) {}
