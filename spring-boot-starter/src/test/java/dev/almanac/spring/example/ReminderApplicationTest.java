package dev.almanac.spring.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.model.CancelResult;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.spring.TransactionalScheduler;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.server.MongoServer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class ReminderApplicationTest {
    private final MongoServer server = MongoServer.shared();
    private final String database = server.freshDatabase();
    private ConfigurableApplicationContext context;
    private Scheduler scheduler;
    private ReminderApplication.Mailer mailer;

    @BeforeEach
    void start() {
        context = run();
        scheduler = context.getBean(Scheduler.class);
        mailer = context.getBean(ReminderApplication.Mailer.class);
    }

    private ConfigurableApplicationContext run(String... more) {
        return run(ReminderApplication.class, more);
    }

    private ConfigurableApplicationContext run(Class<?> application, String... more) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.application.name=billing",
                        "spring.mongodb.uri=" + server.uri(),
                        "spring.mongodb.database=" + database,
                        "almanac.store.database=" + database,
                        "almanac.maxConcurrentRuns=7",
                        "almanac.calendars.weekends.kind=Weekly",
                        "almanac.calendars.weekends.exclude-days[0]=SAT",
                        "almanac.calendars.weekends.exclude-days[1]=SUN")
                .properties(more)
                .run();
    }

    @AfterEach
    void stop() {
        context.close();
        try (MongoClient client = MongoClients.create(server.uri())) {
            client.getDatabase(database).drop();
        }
    }

    private static JobSpecification reminder(String key, Instant at) {
        return JobSpecification.oneOff(key, at, new ReminderApplication.Reminder(key));
    }

    @Test
    @DisplayName("an application starts its node, which runs its jobs; the close of the context drains it")
    void lifecycle() throws InterruptedException {
        scheduler.scheduleJob(reminder("ann", Instant.now().plusMillis(300)));
        assertThat(mailer.sent.poll(3, TimeUnit.MINUTES)).isEqualTo("ann");
        assertThat(mailer.around).as("the beans around the run").containsExactly("outer", "inner");
        assertThat(scheduler
                        .scheduleJob(reminder("later", Instant.now().plusSeconds(3_600)))
                        .specification()
                        .jobRequestor())
                .as("the name of the application")
                .isEqualTo("billing");
        context.close();
        assertThat(scheduler.node().runs()).isZero();
        assertThat(scheduler.health().state()).isEqualTo(dev.almanac.Health.State.DOWN);
    }

    @Test
    @DisplayName("properties are those of the table of settings, names relaxed, lists and calendars included")
    void properties() {
        AlmanacConfig config = context.getBean(AlmanacConfig.class);
        assertThat(config.settings().maxConcurrentRuns()).isEqualTo(7);
        assertThat(config.calendars()).containsOnlyKeys("weekends");
        assertThat(config.store().database()).isEqualTo(database);
        assertThatThrownBy(() -> run("almanac.max-concurrent-run=8"))
                .rootCause()
                .hasMessageContaining("max-concurrent-run")
                .hasMessageContaining("did you mean");
        assertThatThrownBy(() ->
                        run("almanac.calendars.days-off.kind=Weekly", "almanac.calendars.days-off.exclude-days=SUN"))
                .as("a bean of that name is there, too")
                .rootCause()
                .hasMessageContaining("'days-off' is declared twice");
    }

    @Test
    @DisplayName("@Transactional code schedules in Spring's transaction: with its data, or not at all")
    void transaction() throws InterruptedException {
        ReminderApplication.Invoices invoices = context.getBean(ReminderApplication.Invoices.class);
        Instant due = Instant.now().plusMillis(500);
        assertThatThrownBy(() -> invoices.add("1", " ", due)).isInstanceOf(IllegalArgumentException.class);
        assertThat(scheduler.findJobById("reminder-1")).isEmpty();
        assertThat(scheduler.history("reminder-1")).isEmpty();
        MongoTemplate mongo = context.getBean(MongoTemplate.class);
        assertThat(mongo.getCollection("invoice").countDocuments()).isZero();
        invoices.add("2", "ben", due);
        assertThat(mailer.sent.poll(3, TimeUnit.MINUTES)).isEqualTo("ben");
        assertThat(mongo.getCollection("invoice").countDocuments()).isOne();
    }

    @Test
    @DisplayName("the plain scheduler changes nothing within a MongoDB transaction of Spring, which may roll back")
    void plainWithinTransaction() {
        JobSpecification later = reminder("later", Instant.now().plusSeconds(3_600));
        scheduler.scheduleJob(later);
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        Map<String, Object> feasts = Map.of("kind", "Annual", "exclude-dates", "12-25");
        GroupLimits limits = new GroupLimits(2, null);
        List<Runnable> requests = List.of(
                () -> scheduler.scheduleJob(reminder("new", Instant.now().plusSeconds(3_600))),
                () -> scheduler.as("ann", null).scheduleJobs(List.of(later)),
                () -> scheduler.updateJob(later),
                () -> scheduler.cancelJob("later"),
                () -> scheduler.runNow("later"),
                () -> scheduler.apply(JobAction.cancel(), JobSelection.keys("later")),
                () -> scheduler.reconcile("app", List.of(later), false),
                () -> scheduler.pause(PauseScope.everything(), new Pause("release", "ann", null)),
                () -> scheduler.resume(PauseScope.everything()),
                () -> scheduler.calendars().put("feasts", feasts),
                () -> scheduler.calendars().replace("feasts", 1, feasts),
                () -> scheduler.calendars().delete("feasts"),
                () -> scheduler.groups().put("bank", limits),
                () -> scheduler.groups().put("bank", limits, 0),
                () -> scheduler.groups().remove("bank"),
                () -> scheduler.groups().remove("bank", 1));
        for (Runnable request : requests) {
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> request.run()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("TransactionalScheduler")
                    .hasMessageContaining("almanac.ignore-transactions");
        }
        assertThat(scheduler.findJobById("new")).isEmpty();
        assertThat(scheduler.pauses()).isEmpty();
        assertThat(scheduler.calendars().list()).isEmpty();
        assertThat(scheduler.groups().list()).isEmpty();
        transaction.executeWithoutResult(status -> {
            assertThat(scheduler.findJobById("later")).isPresent();
            assertThat(scheduler
                            .apply(JobAction.cancel(), JobSelection.keys("later"), true)
                            .items())
                    .hasSize(1);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    scheduler.cancelJob("later");
                }
            });
        });
        assertThat(scheduler.findJobById("later")).as("after the commit").isEmpty();
    }

    /** The application with a store of its own, which it shows as {@link JobStore} only. */
    @Import(ReminderApplication.class)
    static class OwnStore {
        @Bean
        JobStore store(MongoClient client, AlmanacConfig config) {
            return MongoJobStore.create(client, config.store());
        }
    }

    @Test
    @DisplayName("with a bean of type JobStore, too, the plain scheduler changes nothing within a transaction")
    void ownStore() {
        try (ConfigurableApplicationContext own = run(OwnStore.class)) {
            Scheduler plain = own.getBean(Scheduler.class);
            JobSpecification later = reminder("later", Instant.now().plusSeconds(3_600));
            TransactionTemplate transaction = new TransactionTemplate(own.getBean(PlatformTransactionManager.class));
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> plain.scheduleJob(later)))
                    .hasMessageContaining("TransactionalScheduler");
            assertThat(plain.findJobById("later")).isEmpty();
            transaction.executeWithoutResult(
                    status -> own.getBean(TransactionalScheduler.class).scheduleJob(later));
            assertThat(plain.findJobById("later")).isPresent();
        }
    }

    /** Uses the plain scheduler only. */
    @EnableAutoConfiguration
    static class PlainOnly {
        @Bean
        MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
            return new MongoTransactionManager(factory);
        }
    }

    @Test
    @DisplayName("a store with clients of its own cannot be in Spring's transaction: said when the bean is asked for")
    void otherClient() {
        String uri = "almanac.store.uri=" + server.uri();
        assertThatThrownBy(() -> run(uri))
                .rootCause()
                .hasMessageContaining("TransactionalScheduler")
                .hasMessageContaining("almanac.store.uri");
        try (ConfigurableApplicationContext plain = run(PlainOnly.class, uri)) {
            Scheduler writer = plain.getBean(Scheduler.class);
            TransactionTemplate transaction = new TransactionTemplate(plain.getBean(PlatformTransactionManager.class));
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> writer.cancelJob("later")))
                    .hasMessageContaining("almanac.store.uri");
        }
        try (ConfigurableApplicationContext own = run(OwnStore.class, uri)) {
            new TransactionTemplate(own.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(
                            status -> own.getBean(TransactionalScheduler.class).cancelJob("later"));
        }
    }

    @Test
    @DisplayName(
            "with almanac.ignore-transactions a request of the plain scheduler stays although the transaction rolls back")
    void ignoredTransaction() {
        try (ConfigurableApplicationContext told = run("almanac.ignore-transactions=true")) {
            Scheduler plain = told.getBean(Scheduler.class);
            new TransactionTemplate(told.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                plain.scheduleJob(reminder("kept", Instant.now().plusSeconds(3_600)));
                status.setRollbackOnly();
            });
            assertThat(plain.findJobById("kept")).isPresent();
        }
    }

    @Test
    @DisplayName("outside of a transaction a call of the transactional scheduler stands for itself")
    void withoutTransaction() {
        TransactionalScheduler writer = context.getBean(TransactionalScheduler.class);
        Job job = writer.scheduleJob(reminder("later", Instant.now().plusSeconds(3_600)));
        assertThat(scheduler.findJobById("later")).isPresent();
        writer.updateJob(job.specification().toBuilder().priority(1).build());
        assertThat(scheduler.findJobById("later").orElseThrow().specification().priority())
                .isEqualTo(1);
        assertThat(writer.cancelJob("later")).isEqualTo(CancelResult.CANCELED);
    }

    /** Without transactions. */
    @EnableAutoConfiguration
    static class NoManager {}

    @Test
    @DisplayName(
            "an application without a transaction manager has the transactional scheduler, whose calls stand for themselves")
    void noManager() {
        try (ConfigurableApplicationContext none = run(NoManager.class)) {
            TransactionalScheduler writer = none.getBean(TransactionalScheduler.class);
            assertThat(writer.cancelJob("later")).isEqualTo(CancelResult.NOT_FOUND);
        }
    }

    @Test
    @DisplayName("the health of the application has the scheduler's; what is degraded is up, with the reason")
    void health() throws InterruptedException {
        HealthIndicator health = context.getBean("almanacHealthIndicator", HealthIndicator.class);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        scheduler.pause(PauseScope.everything(), new Pause("release", "ann", null));
        await().atMost(Duration.ofMinutes(5))
                .untilAsserted(() -> assertThat(health.health().getDetails()).containsEntry("state", "DEGRADED"));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        scheduler.drain(Duration.ofSeconds(5));
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.health().getDetails()).containsKey("reasons");
    }

    @Test
    @DisplayName("the application's registry counts the runs and has the gauges")
    void metrics() throws InterruptedException {
        MeterRegistry registry = context.getBean(MeterRegistry.class);
        scheduler.scheduleJob(reminder("eve", Instant.now().plusMillis(300)));
        assertThat(mailer.sent.poll(3, TimeUnit.MINUTES)).isEqualTo("eve");
        assertThat(registry.find("almanac.slots.limit").gauge().value()).isEqualTo(7);
        await().atMost(Duration.ofMinutes(5))
                .untilAsserted(() -> assertThat(registry.find("almanac.runs").counters())
                        .extracting(Counter::count)
                        .contains(1.0));
    }
}
