package dev.almanac.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.mongodb.client.MongoClient;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobStore;
import dev.almanac.time.ExclusionCalendar;
import java.util.Map;
import java.util.Set;

/**
 * Binds {@link Scheduler} and {@link JobStore}. The service binds its own {@link MongoClient}, which is never closed
 * here, and starts and drains the scheduler with its own lifecycle: {@code injector.getInstance(Scheduler.class)
 * .start()}.
 */
public final class SchedulerModule extends AbstractModule {
    private final MongoStoreSettings store;
    private final SchedulerSettings settings;

    /** @param store where jobs are kept */
    public SchedulerModule(MongoStoreSettings store) {
        this(store, SchedulerSettings.defaults());
    }

    /**
     * @param store where jobs are kept
     * @param settings the numbers of the scheduler
     */
    public SchedulerModule(MongoStoreSettings store, SchedulerSettings settings) {
        this.store = store;
        this.settings = settings;
    }

    @Override
    protected void configure() {
        SchedulingHelperBinder.of(binder());
    }

    @Provides
    @Singleton
    JobStore store(MongoClient client) {
        return MongoJobStore.create(client, store);
    }

    @Provides
    @Singleton
    Scheduler scheduler(
            JobStore jobs,
            Set<SchedulingHelper> helpers,
            Set<CommandType<?>> types,
            Set<SchedulerListener> listeners,
            Map<String, ExclusionCalendar> calendars) {
        SchedulerBuilder builder = Scheduler.builder().store(jobs).settings(settings);
        types.forEach(builder::command);
        helpers.forEach(builder::helper);
        listeners.forEach(builder::listener);
        calendars.forEach(builder::calendar);
        return builder.build();
    }
}
