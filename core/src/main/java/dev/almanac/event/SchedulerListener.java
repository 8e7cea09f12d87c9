package dev.almanac.event;

/**
 * Receives events in their order, one call at a time, on a thread of its own; those of requests also on the thread of whoever
 * asked, before the call returns. Be quick, never block: a listener that blocks keeps one such caller with it. The engine
 * and other callers go on; 10 000 events wait for a slow listener, later ones are left out and counted. A listener that
 * throws, whatever it throws, is contained, logged once per kind of event, and counted. {@code health()} tells all three.
 */
@FunctionalInterface
public interface SchedulerListener {
    /** @param event what has happened just now */
    void on(SchedulerEvent event);
}
