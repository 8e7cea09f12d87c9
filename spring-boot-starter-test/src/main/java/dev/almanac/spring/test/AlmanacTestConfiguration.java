package dev.almanac.spring.test;

import dev.almanac.Scheduler;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.mongo.JacksonCommandCodec;
import dev.almanac.runtime.TimeSource;
import dev.almanac.spring.SchedulerCustomizer;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** What a service gets in a test in place of its server and its time. */
@Configuration(proxyBeanMethods = false)
class AlmanacTestConfiguration {
    @Bean
    static BeanFactoryPostProcessor almanacTestFirst() {
        return beans -> {
            prefer(beans, JobStore.class, "almanacTestStore");
            prefer(beans, TimeSource.class, "almanacTestClock");
        };
    }

    /** The application may have beans of the kind, also a primary one; a test asks none of them. */
    static void prefer(ConfigurableListableBeanFactory beans, Class<?> kind, String own) {
        for (String name : beans.getBeanNamesForType(kind, true, false)) {
            if (beans.containsBeanDefinition(name)) {
                beans.getBeanDefinition(name).setPrimary(name.equals(own));
            }
        }
    }

    @Bean(destroyMethod = "close")
    VirtualTime virtualTime(@Value("${almanac-test.start:2030-01-07T08:00:00Z}") Instant start) {
        return new VirtualTime(start);
    }

    @Bean
    TimeSource almanacTestClock(VirtualTime time) {
        return time.clock();
    }

    @Bean
    InMemoryJobStore almanacTestStore(VirtualTime time) {
        return new InMemoryJobStore(time.clock(), new JacksonCommandCodec());
    }

    /** The starter calls the bean of this name behind all customizers, which may set an executor, a clock or a store. */
    @Bean(defaultCandidate = false)
    SchedulerCustomizer almanacLastStep(VirtualTime time, JobStore store) {
        return builder -> time.applyTo(builder).store(store);
    }

    @Bean
    Ends almanacTestEnds(VirtualTime time, Scheduler scheduler) {
        return new Ends(time, scheduler);
    }

    /** Lets the node do its first steps once it was started, and its last ones before it is stopped. */
    record Ends(VirtualTime time, Scheduler scheduler) {
        @EventListener(ContextRefreshedEvent.class)
        void begin() {
            time.advance(Duration.ZERO);
        }

        @EventListener(ContextClosedEvent.class)
        void end() throws InterruptedException {
            scheduler.drain(Duration.ZERO);
        }
    }

    /** For services with Spring Data MongoDB, whose transactions include jobs. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({PlatformTransactionManager.class, MongoDatabaseFactory.class})
    @EnableTransactionManagement(proxyTargetClass = true)
    static class TransactionPart {
        @Bean
        static TransactionStandIn almanacTestTransactionStandIn() {
            return new TransactionStandIn();
        }

        /** As the starter does with MongoDB: what is scheduled beside the transaction would stay if that rolls back. */
        @Bean
        SchedulerCustomizer almanacTestTransactionGuard(AlmanacConfig config, TransactionStandIn standIn) {
            return builder -> {
                if (!config.ignoreTransactions()) {
                    builder.beforeChange(() -> {
                        if (standIn.transactions().isOpen()) {
                            throw new IllegalStateException(
                                    "this thread is in a transaction, where a service with MongoDB"
                                            + " refuses requests of Scheduler: inject TransactionalScheduler");
                        }
                    });
                }
            };
        }
    }
}
