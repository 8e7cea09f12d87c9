package dev.almanac.event;

/**
 * Receives events, one at a time, on a thread for listeners or on that of a user's request; a slow listener loses
 * events. An exception of a listener is logged once per kind of event and counted, and shows in {@code health()} for a
 * while.
 */
@FunctionalInterface
public interface SchedulerListener {
    /** @param event what has happened just now */
    void on(SchedulerEvent event);
}
