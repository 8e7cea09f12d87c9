package dev.almanac.spring;

import dev.almanac.Scheduler;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.mongo.MongoJobStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;

/**
 * Makes a {@link TransactionalScheduler} where Spring Data MongoDB is, with its transactions, and keeps the plain scheduler
 * from changing jobs within them.
 */
@AutoConfiguration(after = AlmanacAutoConfiguration.class)
@ConditionalOnClass(MongoDatabaseFactory.class)
@ConditionalOnBean({MongoDatabaseFactory.class, MongoJobStore.class})
public class AlmanacTransactionAutoConfiguration {
    /** Made by Spring. */
    public AlmanacTransactionAutoConfiguration() {}

    /** Without it a job that is scheduled by the plain scheduler would run although the caller's transaction rolls back. */
    @Bean
    SchedulerCustomizer almanacTransactionGuard(MongoDatabaseFactory factory, AlmanacConfig config) {
        SpringSession session = new SpringSession(factory);
        return builder -> {
            if (!config.ignoreTransactions()) {
                builder.beforeChange(() -> refuseWithin(session));
            }
        };
    }

    private static void refuseWithin(SpringSession session) {
        if (session.get() != null) {
            throw new IllegalStateException(
                    "this thread is in a MongoDB transaction of Spring, and requests of Scheduler"
                            + " would stay if it rolls back: inject TransactionalScheduler, whose requests belong to the"
                            + " transaction, or make the request after the commit; almanac.ignore-transactions=true accepts it");
        }
    }

    @Bean
    @ConditionalOnMissingBean
    TransactionalScheduler almanacTransactionalScheduler(
            Scheduler scheduler, MongoJobStore store, MongoDatabaseFactory factory) {
        return new SpringTransactionalScheduler(scheduler, store, new SpringSession(factory));
    }
}
