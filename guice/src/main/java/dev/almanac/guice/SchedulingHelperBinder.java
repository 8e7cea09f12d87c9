package dev.almanac.guice;

import com.google.inject.Binder;
import com.google.inject.Key;
import com.google.inject.Provider;
import com.google.inject.Singleton;
import com.google.inject.TypeLiteral;
import com.google.inject.binder.LinkedBindingBuilder;
import com.google.inject.multibindings.MapBinder;
import com.google.inject.multibindings.Multibinder;
import com.google.inject.multibindings.OptionalBinder;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.CommandRunner;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.helper.TypedHelper;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.JobStore;
import dev.almanac.time.ExclusionCalendar;

/**
 * Registers a service's parts with the scheduler, from any of its modules. Helpers and listeners are injected like any other
 * object; of several helpers the first one bound that supports a command gets it.
 */
public final class SchedulingHelperBinder {
    static final TypeLiteral<CommandType<?>> TYPE = new TypeLiteral<>() {};

    private final Binder binder;
    private final Multibinder<SchedulingHelper> helpers;
    private final Multibinder<RunInterceptor> interceptors;
    private final Multibinder<SchedulerListener> listeners;
    private final Multibinder<CommandType<?>> types;
    private final MapBinder<String, ExclusionCalendar> calendars;
    private final OptionalBinder<JobStore> store;

    private SchedulingHelperBinder(Binder binder) {
        Binder quiet = binder.skipSources(SchedulingHelperBinder.class);
        this.binder = quiet;
        this.helpers = Multibinder.newSetBinder(quiet, SchedulingHelper.class);
        this.interceptors = Multibinder.newSetBinder(quiet, RunInterceptor.class);
        this.listeners = Multibinder.newSetBinder(quiet, SchedulerListener.class);
        this.types = Multibinder.newSetBinder(quiet, TYPE);
        this.calendars = MapBinder.newMapBinder(quiet, String.class, ExclusionCalendar.class);
        this.store = OptionalBinder.newOptionalBinder(quiet, Key.get(JobStore.class, ServiceStore.class));
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

    /** Binds a helper in any way that Guice supports: an instance, a key, a provider. */
    public LinkedBindingBuilder<SchedulingHelper> helper() {
        return helpers.addBinding();
    }

    /** Registers a command type under a stable name. */
    public <C extends SchedulingCommand> SchedulingHelperBinder command(String name, int version, Class<C> type) {
        return command(CommandType.of(name, version, type));
    }

    /**
     * Registers a command type together with what runs its commands, as {@link SchedulingHelper#of} does.
     *
     * @param call runs a command; the run has ended when it returns, and the attempt has failed if it throws
     */
    public <C extends SchedulingCommand> SchedulingHelperBinder command(
            String name, int version, Class<C> type, TypedHelper.Call<C> call) {
        return command(CommandType.of(name, version, type), SchedulingHelper.of(type, call));
    }

    /**
     * Registers a command type together with what runs its commands: a class that is injected like any other object,
     * once, when the scheduler is made.
     *
     * @param runner implements {@link SchedulingHelper}, or {@link TypedHelper.Call} of this type or of a wider one
     */
    public <C extends SchedulingCommand> SchedulingHelperBinder command(
            String name, int version, Class<C> type, Class<? extends CommandRunner<? super C>> runner) {
        Provider<? extends CommandRunner<? super C>> runners = binder.getProvider(runner);
        command(name, version, type);
        helpers.addBinding().toProvider(() -> helper(type, runners.get())).in(Singleton.class);
        return this;
    }

    private static <C extends SchedulingCommand> SchedulingHelper helper(
            Class<C> type, CommandRunner<? super C> runner) {
        return runner instanceof TypedHelper.Call<? super C> call
                ? SchedulingHelper.of(type, (command, run) -> call.run(command, run))
                : (SchedulingHelper) runner;
    }

    /** Registers a command type, such as one with upcasters, together with the helper that runs its commands. */
    public <C extends SchedulingCommand> SchedulingHelperBinder command(
            CommandType<C> type, TypedHelper<? super C> helper) {
        helpers.addBinding().toInstance(helper);
        return command(type);
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

    /** Binds a calendar under a name in any way that Guice supports: a class that is injected, a key, a provider. */
    public LinkedBindingBuilder<ExclusionCalendar> calendar(String name) {
        return calendars.addBinding(name);
    }

    /** Binds code around each attempt. The first one that is bound is the outermost (rule S8). */
    public SchedulingHelperBinder interceptor(Class<? extends RunInterceptor> interceptor) {
        interceptors.addBinding().to(interceptor);
        return this;
    }

    /** Binds code around each attempt in any way that Guice supports: an instance, a key, a provider. */
    public LinkedBindingBuilder<RunInterceptor> interceptor() {
        return interceptors.addBinding();
    }

    /** Binds a listener. */
    public SchedulingHelperBinder listener(Class<? extends SchedulerListener> listener) {
        listeners.addBinding().to(listener);
        return this;
    }

    /** Binds a listener in any way that Guice supports: an instance, a key, a provider. */
    public LinkedBindingBuilder<SchedulerListener> listener() {
        return listeners.addBinding();
    }

    /** Brings a store, in place of the one in MongoDB that the settings describe; a store in memory suits tests. */
    public LinkedBindingBuilder<JobStore> store() {
        return store.setBinding();
    }
}
