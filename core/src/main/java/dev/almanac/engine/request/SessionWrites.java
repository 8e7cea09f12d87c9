package dev.almanac.engine.request;

/**
 * Users' changes within a transaction of the caller: planned, checked and guarded like others, but without events
 * and announcements before the commit. For one thread and one transaction.
 *
 * @param requests makes the changes
 * @param committed emits the events of what was written since its last run, wakes this node, and announces interrupts
 */
public record SessionWrites(Registrar requests, Runnable committed) {}
