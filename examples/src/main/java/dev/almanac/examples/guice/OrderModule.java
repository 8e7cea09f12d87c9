package dev.almanac.examples.guice;

import com.google.inject.AbstractModule;
import com.typesafe.config.Config;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.guice.SchedulerModule;
import dev.almanac.guice.SchedulingHelperBinder;

/** The bindings of the service. */
public final class OrderModule extends AbstractModule {
    private final Config config;

    /** @param config the settings of the service; Almanac reads those below its own prefix */
    public OrderModule(Config config) {
        this.config = config;
    }

    // snippet: guice-module
    @Override
    protected void configure() {
        install(new SchedulerModule(AlmanacConfig.read(config)));
        SchedulingHelperBinder.of(binder())
                .command("payment-reminder", 1, PaymentReminder.class)
                .helper(ReminderHelper.class)
                .command("close-forgotten", 1, CloseForgotten.class, ClosingHelper.class);
    }
    // end
}
