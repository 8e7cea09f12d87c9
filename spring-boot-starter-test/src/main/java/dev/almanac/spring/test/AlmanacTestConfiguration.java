package dev.almanac.spring.test;

import dev.almanac.Scheduler;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.runtime.TimeSource;
import dev.almanac.spring.SchedulerCustomizer;
import dev.almanac.spring.TransactionalScheduler;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** What a service gets in a test in place of its server and its time. */
@Configuration(proxyBeanMethods = false)
class AlmanacTestConfiguration {
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
        return new InMemoryJobStore(time.clock());
    }

    @Bean
    SchedulerCustomizer almanacTestTime(VirtualTime time) {
        return time::applyTo;
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

    /** For services that use transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PlatformTransactionManager.class)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class TransactionPart {
        @Bean
        @Primary
        MemoryTransactions almanacTestTransactions() {
            return new MemoryTransactions();
        }

        /** As the starter does with MongoDB: what is scheduled beside the transaction would stay if that rolls back. */
        @Bean
        SchedulerCustomizer almanacTestTransactionGuard(AlmanacConfig config, MemoryTransactions transactions) {
            return builder -> {
                if (!config.ignoreTransactions()) {
                    builder.beforeChange(() -> {
                        if (transactions.isOpen()) {
                            throw new IllegalStateException(
                                    "this thread is in a transaction, where a service with MongoDB"
                                            + " refuses requests of Scheduler: inject TransactionalScheduler");
                        }
                    });
                }
            };
        }

        @Bean
        @Primary
        TransactionalScheduler almanacTestTransactionalScheduler(
                Scheduler scheduler, InMemoryJobStore store, MemoryTransactions transactions) {
            return new MemoryTransactionalScheduler(scheduler, store, transactions);
        }
    }
}
