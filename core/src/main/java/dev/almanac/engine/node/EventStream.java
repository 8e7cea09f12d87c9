package dev.almanac.engine.node;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.runtime.TimeSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Passes events to the listeners. One that throws, whatever it throws, is contained: what the engine does next must not
 * depend on who listens.
 */
public final class EventStream {
    private final List<SchedulerListener> listeners;
    private final Contained contained;

    public EventStream(List<SchedulerListener> listeners, TimeSource time) {
        this(List.copyOf(listeners), new Contained(time));
    }

    private EventStream(List<SchedulerListener> listeners, Contained contained) {
        this.listeners = new CopyOnWriteArrayList<>(listeners);
        this.contained = contained;
    }

    /** A stream to one listener alone; failures are counted together. */
    EventStream to(SchedulerListener listener) {
        return new EventStream(List.of(listener), contained);
    }

    /** One more who is told. */
    void add(SchedulerListener listener) {
        listeners.add(listener);
    }

    /** Where failures that end nothing are counted. */
    public Contained contained() {
        return contained;
    }

    public void emit(SchedulerEvent event) {
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
