package dev.almanac.event;

/**
 * Receives events in their order, one call at a time, on a thread of its own; those of requests also on the caller's
 * thread, before the call returns. Be quick, never block: a listener that blocks also blocks one such caller. The
 * engine and other callers continue; 10 000 events wait for a slow listener, later ones are dropped and counted.
 * Whatever a listener throws is caught, logged once per kind of event, and counted. {@code health()} reports all three.
 */
@FunctionalInterface
public interface SchedulerListener {
    /** @param event what has just happened */
    void on(SchedulerEvent event);
}
