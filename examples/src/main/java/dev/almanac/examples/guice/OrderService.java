package dev.almanac.examples.guice;

import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Singleton;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.almanac.guice.SchedulerService;
import dev.almanac.model.JobSpecification;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;

/**
 * A service that is wired by Guice. Its helpers are injected, its settings come from HOCON, it declares its own
 * recurring job before it claims anything, and the scheduler starts and stops with it.
 */
@Singleton
public final class OrderService implements AutoCloseable {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final SchedulerService scheduling;

    @Inject
    OrderService(SchedulerService scheduling) {
        this.scheduling = scheduling;
    }

    // snippet: guice-service
    /** Starts. The nightly job is stored before the first claim; declaring it again changes nothing. */
    public void start() {
        scheduling.start();
        scheduling
                .scheduler()
                .scheduleJob(
                        JobSpecification.recurring("close-forgotten", "0 30 3 * * ?", BERLIN, new CloseForgotten(90)));
        scheduling.scheduler().rehydrate();
    }

    /** Stops: runs may end, and nothing new is claimed. */
    @Override
    public void close() {
        scheduling.stop();
    }
    // end

    /** Reminds a customer at that moment, unless the order is paid by then. */
    public void remind(String customer, String order, Instant at) {
        scheduling
                .scheduler()
                .scheduleJob(
                        JobSpecification.oneOff("reminder-" + order, at, new PaymentReminder(customer, order))
                                .toBuilder()
                                .lateExecutionThreshold(Duration.ofDays(1))
                                .build());
    }

    /** Arguments: connection string, database. Runs until it is ended by a signal. */
    public static void main(String[] arguments) throws InterruptedException {
        // snippet: guice-main
        Config given = ConfigFactory.parseMap(
                Map.of("almanac.store.uri", arguments[0], "almanac.store.database", arguments[1]), "arguments");
        Config config = given.withFallback(ConfigFactory.parseResources("orders.conf"));
        OrderService service = Guice.createInjector(new OrderModule(config)).getInstance(OrderService.class);
        Runtime.getRuntime().addShutdownHook(new Thread(service::close));
        service.start();
        // end
        Thread.currentThread().join();
    }
}
