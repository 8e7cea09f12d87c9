package dev.almanac.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.spring.AlmanacAutoConfiguration;
import dev.almanac.spring.AlmanacTransactionAutoConfiguration;
import dev.almanac.spring.SchedulerCustomizer;
import dev.almanac.spring.TransactionalScheduler;
import dev.almanac.spring.test.AlmanacTestConfiguration.Ends;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.VirtualTime;
import java.lang.reflect.Proxy;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.config.TransactionManagementConfigUtils;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** A transaction of another database includes no jobs, in a test as in production. */
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
        return service.withBean(MongoDatabaseFactory.class, () -> (MongoDatabaseFactory) Proxy.newProxyInstance(
                MongoDatabaseFactory.class.getClassLoader(),
                new Class<?>[] {MongoDatabaseFactory.class},
                (proxy, method, arguments) -> method.getName().equals("hashCode") ? 1 : null));
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

    /** The service as it is, with a store that is none of MongoDB. */
    private static ApplicationContextRunner production() {
        VirtualTime time = new VirtualTime(Instant.parse("2030-01-07T08:00:00Z"));
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AlmanacAutoConfiguration.class, AlmanacTransactionAutoConfiguration.class))
                .withPropertyValues("spring.application.name=shop")
                .withBean(VirtualTime.class, () -> time)
                .withBean(InMemoryJobStore.class, () -> new InMemoryJobStore(time.clock()))
                .withBean(SchedulerCustomizer.class, () -> time::applyTo)
                .withBean(Ends.class);
    }

    private record Orders(TransactionalScheduler jobs) {}

    @Test
    @DisplayName("S10: without any transaction manager TransactionalScheduler is refused, in a test as in production")
    void none() {
        for (ApplicationContextRunner service : new ApplicationContextRunner[] {withMongo(), withMongo(production())}) {
            service.withBean(Orders.class)
                    .run(context -> assertThat(context.getStartupFailure())
                            .hasStackTraceContaining("TransactionalScheduler")
                            .hasStackTraceContaining("no bean of type TransactionManager")
                            .hasStackTraceContaining("MongoTransactionManager"));
        }
    }

    @Test
    @DisplayName("S10: a test adds no transactions: who uses the plain scheduler only needs no transaction manager")
    void addsNone() {
        withMongo()
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(TransactionManager.class)
                        .doesNotHaveBean(TransactionManagementConfigUtils.TRANSACTION_ADVISOR_BEAN_NAME));
        withMongo(production()).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @DisplayName("S10: a transaction manager of a context above is one")
    void above() {
        withMongo().withUserConfiguration(Documents.class).run(above -> {
            assertThat(above).hasNotFailed();
            withMongo()
                    .withParent(above)
                    .withBean(Orders.class)
                    .run(below -> assertThat(below.getStartupFailure()).isNull());
        });
    }
}
