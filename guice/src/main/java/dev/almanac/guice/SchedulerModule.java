package dev.almanac.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import com.mongodb.client.MongoClient;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.config.ConfiguredStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobStore;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Binds {@link Scheduler}, {@link SchedulerService} and {@link JobStore}; {@link SchedulingHelperBinder} binds the
 * service's parts. Nothing is asked of the server before the service is started.
 *
 * <p>The store uses the {@link MongoClient} that the service binds, which is never closed here. With a connection
 * string in the settings it uses clients of its own. They are made with the store, so with the first injection of {@link
 * Scheduler}, {@link SchedulerService} or {@link JobStore}, and the driver connects from then on. {@link
 * SchedulerService#stop()} closes them; they are also closed if the scheduler cannot be built.
 */
public final class SchedulerModule extends AbstractModule {
    static final String NO_CLIENT = "Almanac has no server to talk to: bind(MongoClient.class) in a module of the "
            + "service, or set almanac.store.uri, or bring a store by SchedulingHelperBinder.store()";
    private static final Key<JobStore> BROUGHT = Key.get(JobStore.class, ServiceStore.class);

    private final AlmanacConfig config;
    private final Consumer<SchedulerBuilder> more;

    /** @param store where jobs are kept; the other settings have their defaults */
    public SchedulerModule(MongoStoreSettings store) {
        this(AlmanacConfig.defaults().withStore(store));
    }

    /**
     * @param store where jobs are kept
     * @param settings the numbers of the scheduler
     */
    public SchedulerModule(MongoStoreSettings store, SchedulerSettings settings) {
        this(AlmanacConfig.defaults().withStore(store).withSettings(settings));
    }

    /** @param config all settings, such as {@code AlmanacConfig.read(ConfigFactory.load())} */
    public SchedulerModule(AlmanacConfig config) {
        this(config, builder -> {});
    }

    private SchedulerModule(AlmanacConfig config, Consumer<SchedulerBuilder> more) {
        this.config = config;
        this.more = more;
    }

    /**
     * The same, with a last step on the scheduler's builder, such as setting an executor.
     *
     * @param last may overrule the settings
     */
    public SchedulerModule with(Consumer<SchedulerBuilder> last) {
        return new SchedulerModule(config, more.andThen(last));
    }

    @Override
    protected void configure() {
        SchedulingHelperBinder.of(binder());
        OptionalBinder.newOptionalBinder(binder(), MongoClient.class);
        requestInjection(new Demand(config));
    }

    @Provides
    @Singleton
    ConfiguredStore configured() {
        return new ConfiguredStore(config);
    }

    @Provides
    @Singleton
    JobStore store(
            @ServiceStore Optional<JobStore> brought,
            ConfiguredStore configured,
            Provider<Optional<MongoClient>> bound) {
        return brought.orElseGet(
                () -> configured.store(() -> bound.get().orElseThrow(() -> new IllegalStateException(NO_CLIENT))));
    }

    @Provides
    @Singleton
    Scheduler scheduler(Provider<JobStore> store, SchedulerParts parts, ConfiguredStore configured) {
        try {
            SchedulerBuilder builder = Scheduler.builder();
            config.applyTo(builder);
            parts.applyTo(builder, config.calendars().keySet());
            builder.store(store.get());
            more.accept(builder);
            return builder.build();
        } catch (RuntimeException | Error e) {
            configured.close();
            throw e;
        }
    }

    @Provides
    @Singleton
    SchedulerService service(Scheduler scheduler, ConfiguredStore configured) {
        return new SchedulerService(scheduler, configured, config.drainTimeout());
    }

    /** Looks for a way to a server as soon as all modules are known, so that a service without one fails at once. */
    private static final class Demand {
        private final AlmanacConfig config;

        Demand(AlmanacConfig config) {
            this.config = config;
        }

        @Inject
        void check(Injector injector) {
            boolean client = config.uri() != null || injector.getExistingBinding(Key.get(MongoClient.class)) != null;
            if (!client && injector.getExistingBinding(BROUGHT) == null) {
                throw new IllegalStateException(NO_CLIENT);
            }
        }
    }
}
