package dev.almanac.spring;

import dev.almanac.Scheduler;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.store.JobStore;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.mongodb.MongoDatabaseFactory;

/**
 * Makes a {@link TransactionalScheduler} where Spring Data MongoDB is, with its transactions, and keeps the plain scheduler
 * from changing jobs within them.
 */
@AutoConfiguration(after = AlmanacAutoConfiguration.class)
@ConditionalOnClass(MongoDatabaseFactory.class)
@ConditionalOnBean({MongoDatabaseFactory.class, AlmanacConfig.class})
public class AlmanacTransactionAutoConfiguration {
    /** Made by Spring. */
    public AlmanacTransactionAutoConfiguration() {}

    /** Without it a job that is scheduled by the plain scheduler would run although the caller's transaction rolls back. */
    @Bean
    SchedulerCustomizer almanacTransactionGuard(ObjectProvider<MongoDatabaseFactory> factories, AlmanacConfig config) {
        List<SpringSession> sessions =
                factories.stream().map(SpringSession::new).toList();
        return builder -> {
            if (!config.ignoreTransactions()) {
                builder.beforeChange(() -> sessions.forEach(AlmanacTransactionAutoConfiguration::refuseWithin));
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

    /** Made when a bean asks for it, so that a store that has no such transactions is refused then and not before. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
    TransactionalScheduler almanacTransactionalScheduler(
            Scheduler scheduler, JobStore store, MongoDatabaseFactory factory) {
        if (store instanceof MongoJobStore mongo) {
            return new SpringTransactionalScheduler(scheduler, mongo, new SpringSession(factory));
        }
        throw new IllegalStateException(
                "TransactionalScheduler needs a MongoJobStore, and the bean of type JobStore is a "
                        + store.getClass().getName());
    }
}
