package dev.almanac.model;

/**
 * What planning many jobs anew has brought.
 *
 * @param looked how many jobs were looked at
 * @param moved how many of them have another next fire now
 * @param blocked how many of these have none any more, and wait for another edit
 */
public record ReplanResult(long looked, long moved, long blocked) {}
