package dev.almanac.guice;

import com.google.inject.Binder;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.MapBinder;
import com.google.inject.multibindings.Multibinder;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.time.ExclusionCalendar;

/**
 * Tells the scheduler of a service's parts, from any of its modules. Helpers and listeners are injected like any other
 * object; of several helpers the first one bound that supports a command gets it.
 */
public final class SchedulingHelperBinder {
    static final TypeLiteral<CommandType<?>> TYPE = new TypeLiteral<>() {};

    private final Multibinder<SchedulingHelper> helpers;
    private final Multibinder<SchedulerListener> listeners;
    private final Multibinder<CommandType<?>> types;
    private final MapBinder<String, ExclusionCalendar> calendars;

    private SchedulingHelperBinder(Binder binder) {
        this.helpers = Multibinder.newSetBinder(binder, SchedulingHelper.class);
        this.listeners = Multibinder.newSetBinder(binder, SchedulerListener.class);
        this.types = Multibinder.newSetBinder(binder, TYPE);
        this.calendars = MapBinder.newMapBinder(binder, String.class, ExclusionCalendar.class);
    }

    /** The binder of a module; several modules may each have one. */
    public static SchedulingHelperBinder of(Binder binder) {
        return new SchedulingHelperBinder(binder);
    }

    /** Binds a helper. */
    public SchedulingHelperBinder helper(Class<? extends SchedulingHelper> helper) {
        helpers.addBinding().to(helper);
        return this;
    }

    /** Registers a command type under a stable name. */
    public <C extends SchedulingCommand> SchedulingHelperBinder command(String name, int version, Class<C> type) {
        types.addBinding().toInstance(CommandType.of(name, version, type));
        return this;
    }

    /** Makes a calendar known by name. */
    public SchedulingHelperBinder calendar(String name, ExclusionCalendar calendar) {
        calendars.addBinding(name).toInstance(calendar);
        return this;
    }

    /** Binds a listener. */
    public SchedulingHelperBinder listener(Class<? extends SchedulerListener> listener) {
        listeners.addBinding().to(listener);
        return this;
    }
}
