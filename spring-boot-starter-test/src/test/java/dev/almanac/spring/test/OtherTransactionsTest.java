package dev.almanac.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.TimeSource;
import dev.almanac.spring.AlmanacAutoConfiguration;
import dev.almanac.spring.AlmanacTransactionAutoConfiguration;
import dev.almanac.spring.SchedulerCustomizer;
import dev.almanac.spring.TransactionalScheduler;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.VirtualTime;
import java.lang.reflect.Proxy;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** A transaction of another database includes no jobs, in a test as in production. */
@ExtendWith(OutputCaptureExtension.class)
class OtherTransactionsTest {
    record Note() implements SchedulingCommand {}

    /** As that of JPA or JDBC. */
    private static final class Relational extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    static class Documents {
        @Bean
        PlatformTransactionManager documents(MongoDatabaseFactory database) {
            return new MongoTransactionManager(database);
        }
    }

    private static ApplicationContextRunner service() {
        return new ApplicationContextRunner()
                .withInitializer(context ->
                        context.getBeanFactory().setConversionService(ApplicationConversionService.getSharedInstance()))
                .withConfiguration(AutoConfigurations.of(
                        AlmanacAutoConfiguration.class, AlmanacTransactionAutoConfiguration.class))
                .withUserConfiguration(AlmanacTestConfiguration.class)
                .withPropertyValues("spring.application.name=shop")
                .withBean(
                        SchedulerCustomizer.class,
                        () -> builder -> builder.command("note", 1, Note.class, (note, run) -> {}));
    }

    /** One with Spring Data MongoDB beside it, which no transaction of this manager uses. */
    private static ApplicationContextRunner withMongo() {
        return withMongo(service());
    }

    private static ApplicationContextRunner withMongo(ApplicationContextRunner service) {
        return service.withBean(MongoDatabaseFactory.class, OtherTransactionsTest::database);
    }

    static MongoDatabaseFactory database() {
        return (MongoDatabaseFactory) Proxy.newProxyInstance(
                MongoDatabaseFactory.class.getClassLoader(),
                new Class<?>[] {MongoDatabaseFactory.class},
                (proxy, method, arguments) -> method.getName().equals("hashCode") ? 1 : null);
    }

    private static ApplicationContextRunner withRelational(ApplicationContextRunner service) {
        return service.withBean(
                "relational", PlatformTransactionManager.class, Relational::new, bean -> bean.setPrimary(true));
    }

    private static TransactionTemplate in(ApplicationContext context, String manager) {
        return new TransactionTemplate(context.getBean(manager, PlatformTransactionManager.class));
    }

    private static JobSpecification job(String key) {
        return JobSpecification.now(key, new Note());
    }

    @Test
    @DisplayName(
            "S10: without Spring Data MongoDB there is no TransactionalScheduler, and a transaction refuses no request")
    void withoutMongo() {
        for (ApplicationContextRunner service : new ApplicationContextRunner[] {
            service(), service().withClassLoader(new FilteredClassLoader(MongoDatabaseFactory.class))
        }) {
            withRelational(service).run(context -> {
                assertThat(context).hasNotFailed().doesNotHaveBean(TransactionalScheduler.class);
                assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(Relational.class);
                Scheduler scheduler = context.getBean(Scheduler.class);
                in(context, "relational").executeWithoutResult(status -> {
                    scheduler.scheduleJob(job("k"));
                    status.setRollbackOnly();
                });
                assertThat(scheduler.findJobById("k")).isPresent();
            });
        }
    }

    @Test
    @DisplayName("S10: beside MongoDB a transaction of another database includes no jobs; one of MongoDB does")
    void beside() {
        withRelational(withMongo()).withUserConfiguration(Documents.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(Relational.class);
            Scheduler scheduler = context.getBean(Scheduler.class);
            TransactionalScheduler jobs = context.getBean(TransactionalScheduler.class);
            in(context, "relational").executeWithoutResult(status -> {
                jobs.scheduleJob(job("a"));
                scheduler.scheduleJob(job("b"));
                status.setRollbackOnly();
            });
            assertThat(scheduler.findJobById("a")).isPresent();
            assertThat(scheduler.findJobById("b")).isPresent();
            in(context, "documents").executeWithoutResult(status -> {
                jobs.scheduleJob(job("c"));
                status.setRollbackOnly();
            });
            assertThat(scheduler.findJobById("c")).isEmpty();
        });
    }

    @Test
    @DisplayName(
            "S10: where MongoDB has no transaction manager of the application's, one in memory stands for it, with a warning")
    void none(CapturedOutput output) {
        withMongo().run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(PlatformTransactionManager.class);
            assertThat(output).doesNotContain("MongoTransactionManager");
            TransactionalScheduler jobs = context.getBean(TransactionalScheduler.class);
            assertThat(output).contains("WARN").contains("add a bean of type MongoTransactionManager");
            in(context, "almanacTestTransactions").executeWithoutResult(status -> {
                jobs.scheduleJob(job("a"));
                status.setRollbackOnly();
            });
            assertThat(context.getBean(Scheduler.class).findJobById("a")).isEmpty();
        });
    }

    @Test
    @DisplayName(
            "S10: with two databases of MongoDB, and none primary, there is no TransactionalScheduler, as in production")
    void severalDatabases() {
        for (boolean primary : new boolean[] {false, true}) {
            withMongo()
                    .withBean(
                            "archive",
                            MongoDatabaseFactory.class,
                            OtherTransactionsTest::database,
                            bean -> bean.setPrimary(primary))
                    .run(context -> assertThat(context.getBeanProvider(TransactionalScheduler.class).stream())
                            .as("primary: " + primary)
                            .hasSize(primary ? 1 : 0));
        }
    }

    @Test
    @DisplayName("S10: a double of TransactionalScheduler, as by @MockitoBean, stays")
    void standIn() {
        TransactionalScheduler answersNothing = (TransactionalScheduler) Proxy.newProxyInstance(
                TransactionalScheduler.class.getClassLoader(),
                new Class<?>[] {TransactionalScheduler.class},
                (proxy, method, arguments) -> null);
        withMongo()
                .withInitializer(context -> context.addBeanFactoryPostProcessor(beans -> beans.registerSingleton(
                        beans.getBeanNamesForType(TransactionalScheduler.class, true, false)[0], answersNothing)))
                .run(context -> assertThat(context.getBean(TransactionalScheduler.class) == answersNothing)
                        .isTrue());
    }

    @Test
    @DisplayName(
            "S10: where the store would have clients of its own, TransactionalScheduler is refused, as in production")
    void otherClient() {
        ApplicationContextRunner other = withMongo()
                .withUserConfiguration(Documents.class)
                .withPropertyValues("almanac.store.uri=mongodb://127.0.0.1/x");
        other.run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> context.getBean(TransactionalScheduler.class))
                    .hasStackTraceContaining("take almanac.store.uri away");
        });
        other.withBean("own", JobStore.class, () -> new InMemoryJobStore(TimeSource.system()))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(TransactionalScheduler.class));
    }

    /** The service as it is, with a store that is none of MongoDB. */
    private static ApplicationContextRunner production() {
        return withMongo(new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AlmanacAutoConfiguration.class, AlmanacTransactionAutoConfiguration.class))
                .withPropertyValues("spring.application.name=shop")
                .withBean(
                        InMemoryJobStore.class,
                        () -> new InMemoryJobStore(new VirtualTime(Instant.parse("2030-01-07T08:00:00Z")).clock())));
    }

    @Test
    @DisplayName(
            "S10: in production a warning tells who asks for TransactionalScheduler that there are no transactions")
    void noneInProduction(CapturedOutput output) {
        production().run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).doesNotContain("MongoTransactionManager");
            assertThatThrownBy(() -> context.getBean(TransactionalScheduler.class))
                    .hasMessageContaining("MongoJobStore");
            assertThat(output).contains("WARN").contains("add a bean of type MongoTransactionManager");
        });
    }

    @Test
    @DisplayName("S10: and none where there are")
    void someInProduction(CapturedOutput output) {
        production().withUserConfiguration(Documents.class).run(context -> {
            assertThatThrownBy(() -> context.getBean(TransactionalScheduler.class))
                    .hasMessageContaining("MongoJobStore");
            assertThat(output).doesNotContain("add a bean");
        });
    }
}
