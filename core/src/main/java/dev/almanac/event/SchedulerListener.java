package dev.almanac.event;

/**
 * Receives events. Called on the thread on which it happens: be quick, never block. A listener that throws,
 * whatever it throws, is contained, logged once per kind of event, and counted; {@code health()} tells it for a while.
 */
@FunctionalInterface
public interface SchedulerListener {
    /** @param event what has happened just now */
    void on(SchedulerEvent event);
}
