package dev.almanac.guice;

import dev.almanac.SchedulerBuilder;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.time.ExclusionCalendar;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Set;

/** The parts that the modules of the service have bound, in order. */
final class SchedulerParts {
    private final Set<SchedulingHelper> helpers;
    private final Set<CommandType<?>> types;
    private final Set<RunInterceptor> interceptors;
    private final Set<SchedulerListener> listeners;
    private final Map<String, ExclusionCalendar> calendars;

    @Inject
    SchedulerParts(
            Set<SchedulingHelper> helpers,
            Set<CommandType<?>> types,
            Set<RunInterceptor> interceptors,
            Set<SchedulerListener> listeners,
            Map<String, ExclusionCalendar> calendars) {
        this.helpers = helpers;
        this.types = types;
        this.interceptors = interceptors;
        this.listeners = listeners;
        this.calendars = calendars;
    }

    /** @param configured names of the calendars that the settings declare */
    void applyTo(SchedulerBuilder builder, Set<String> configured) {
        for (String name : calendars.keySet()) {
            if (configured.contains(name)) {
                throw new IllegalStateException("calendar '" + name + "' is declared twice: below almanac.calendars "
                        + "and by a module's SchedulingHelperBinder; take one away");
            }
        }
        types.forEach(builder::command);
        helpers.forEach(builder::helper);
        interceptors.forEach(builder::interceptor);
        listeners.forEach(builder::listener);
        calendars.forEach(builder::calendar);
    }
}
