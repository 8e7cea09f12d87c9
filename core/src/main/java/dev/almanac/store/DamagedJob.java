package dev.almanac.store;

/**
 * A document that cannot be read as a job.
 *
 * @param id of the specification document
 * @param key its key, or a question mark if that cannot be read either
 * @param reason what is wrong with it
 */
public record DamagedJob(String id, String key, String reason) {}
