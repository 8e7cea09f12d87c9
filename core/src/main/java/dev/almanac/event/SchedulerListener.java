package dev.almanac.event;

/**
 * Is told what happens. Called on the thread on which it happens: be quick, never block. A listener that throws is
 * contained, and logged once per kind of event.
 */
@FunctionalInterface
public interface SchedulerListener {
    /** @param event what has happened just now */
    void on(SchedulerEvent event);
}
