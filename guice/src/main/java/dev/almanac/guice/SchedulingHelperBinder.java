package dev.almanac.guice;

import com.google.inject.Binder;
import com.google.inject.Key;
import com.google.inject.TypeLiteral;
import com.google.inject.binder.LinkedBindingBuilder;
import com.google.inject.multibindings.MapBinder;
import com.google.inject.multibindings.Multibinder;
import com.google.inject.multibindings.OptionalBinder;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.JobStore;
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
    private final OptionalBinder<JobStore> store;

    private SchedulingHelperBinder(Binder binder) {
        Binder quiet = binder.skipSources(SchedulingHelperBinder.class);
        this.helpers = Multibinder.newSetBinder(quiet, SchedulingHelper.class);
        this.listeners = Multibinder.newSetBinder(quiet, SchedulerListener.class);
        this.types = Multibinder.newSetBinder(quiet, TYPE);
        this.calendars = MapBinder.newMapBinder(quiet, String.class, ExclusionCalendar.class);
        this.store = OptionalBinder.newOptionalBinder(quiet, Key.get(JobStore.class, Brought.class));
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

    /** Binds a helper in any way that Guice knows: an instance, a key, a provider. */
    public LinkedBindingBuilder<SchedulingHelper> helper() {
        return helpers.addBinding();
    }

    /** Registers a command type under a stable name. */
    public <C extends SchedulingCommand> SchedulingHelperBinder command(String name, int version, Class<C> type) {
        return command(CommandType.of(name, version, type));
    }

    /** Registers a command type with its upcasters. */
    public SchedulingHelperBinder command(CommandType<?> type) {
        types.addBinding().toInstance(type);
        return this;
    }

    /** Makes a calendar known by name; the settings must not declare one of that name. */
    public SchedulingHelperBinder calendar(String name, ExclusionCalendar calendar) {
        calendars.addBinding(name).toInstance(calendar);
        return this;
    }

    /** Makes a calendar known by name, in any way that Guice knows: a class that is injected, a key, a provider. */
    public LinkedBindingBuilder<ExclusionCalendar> calendar(String name) {
        return calendars.addBinding(name);
    }

    /** Binds a listener. */
    public SchedulingHelperBinder listener(Class<? extends SchedulerListener> listener) {
        listeners.addBinding().to(listener);
        return this;
    }

    /** Binds a listener in any way that Guice knows: an instance, a key, a provider. */
    public LinkedBindingBuilder<SchedulerListener> listener() {
        return listeners.addBinding();
    }

    /** Brings a store, in place of the one in MongoDB that the settings describe; a store in memory suits tests. */
    public LinkedBindingBuilder<JobStore> store() {
        return store.setBinding();
    }
}
