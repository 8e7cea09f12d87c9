package dev.almanac.engine;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes events to the listeners; one that throws is contained, and logged once per kind of event. */
final class EventStream {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

    private final List<SchedulerListener> listeners;
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    EventStream(List<SchedulerListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    void emit(SchedulerEvent event) {
        for (SchedulerListener listener : listeners) {
            try {
                listener.on(event);
            } catch (RuntimeException | LinkageError e) {
                if (reported.add(
                        listener.getClass().getName() + " " + event.getClass().getName())) {
                    LOG.warn("a listener failed at {}; this is logged once per listener and kind", event, e);
                }
            }
        }
    }
}
