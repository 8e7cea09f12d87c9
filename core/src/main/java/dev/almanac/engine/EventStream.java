package dev.almanac.engine;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.runtime.TimeSource;
import java.util.List;

/**
 * Passes events to the listeners. One that throws, whatever it throws, is contained: what the engine does next must not
 * depend on who listens.
 */
final class EventStream {
    private final List<SchedulerListener> listeners;
    private final Contained contained;

    EventStream(List<SchedulerListener> listeners, TimeSource time) {
        this.listeners = List.copyOf(listeners);
        this.contained = new Contained(time);
    }

    /** Where failures of the service's code are counted. */
    Contained contained() {
        return contained;
    }

    void emit(SchedulerEvent event) {
        for (SchedulerListener listener : listeners) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                contained.add(
                        "listener " + Contained.name(listener) + " at "
                                + event.getClass().getSimpleName(),
                        e);
            }
        }
    }
}
