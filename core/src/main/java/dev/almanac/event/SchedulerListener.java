package dev.almanac.event;

/**
 * Receives events in their order, one call at a time, on a thread of its own. A request may return before its event is
 * received: neither runs nor callers wait for a listener. 10 000 events wait for a slow listener, later ones are dropped
 * and counted; {@code close()} waits for the listeners, up to 5 s. What a listener throws is caught, logged once per
 * kind of event, and counted. {@code health()} reports all three.
 */
@FunctionalInterface
public interface SchedulerListener {
    /** @param event what has just happened */
    void on(SchedulerEvent event);
}
