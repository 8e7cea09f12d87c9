package dev.almanac.spring;

import dev.almanac.Scheduler;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.config.ConfiguredStore;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.store.JobStore;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.transaction.TransactionManager;

/**
 * Makes a {@link TransactionalScheduler} where Spring Data MongoDB is, with its transactions, and keeps the plain scheduler
 * from changing jobs within them.
 */
@AutoConfiguration(after = AlmanacAutoConfiguration.class)
@ConditionalOnClass(MongoDatabaseFactory.class)
@ConditionalOnBean({MongoDatabaseFactory.class, AlmanacConfig.class})
public class AlmanacTransactionAutoConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(AlmanacTransactionAutoConfiguration.class);
    private static final String OTHER_CLIENT =
            "take almanac.store.uri away, with which the store has clients of its own";

    /** Made by Spring. */
    public AlmanacTransactionAutoConfiguration() {}

    /** Without it a job that is scheduled by the plain scheduler would run although the caller's transaction rolls back. */
    @Bean
    SchedulerCustomizer almanacTransactionGuard(
            ObjectProvider<MongoDatabaseFactory> factories,
            AlmanacConfig config,
            ObjectProvider<ConfiguredStore> configured) {
        List<SpringSession> sessions =
                factories.stream().map(SpringSession::new).toList();
        String first = hasOtherClient(config, configured) ? OTHER_CLIENT + ", then " : "";
        return builder -> {
            if (!config.ignoreTransactions()) {
                builder.beforeChange(() -> refuseWithin(sessions, first));
            }
        };
    }

    /** @param first what is to be done before there can be a {@link TransactionalScheduler} */
    private static void refuseWithin(List<SpringSession> sessions, String first) {
        if (sessions.stream().anyMatch(session -> session.get() != null)) {
            throw new IllegalStateException(
                    "this thread is in a MongoDB transaction of Spring, and requests of Scheduler"
                            + " would stay if it rolls back: " + first
                            + "inject TransactionalScheduler, whose requests belong to the"
                            + " transaction, or make the request after the commit; almanac.ignore-transactions=true accepts it");
        }
    }

    /** A store of the application's own is on the client that it was made with; the setting has no effect on it. */
    private static boolean hasOtherClient(AlmanacConfig config, ObjectProvider<ConfiguredStore> configured) {
        return config.uri() != null && configured.stream().findAny().isPresent();
    }

    /** Made when a bean asks for it, so that a store that cannot be in such transactions is refused then and not before. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(MongoDatabaseFactory.class)
    TransactionalScheduler almanacTransactionalScheduler(
            Scheduler scheduler,
            JobStore store,
            MongoDatabaseFactory factory,
            AlmanacConfig config,
            ObjectProvider<ConfiguredStore> configured,
            ListableBeanFactory beans) {
        if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, TransactionManager.class, true, false).length
                == 0) {
            LOG.warn(
                    "there is no bean of type TransactionManager, so @Transactional has no effect, and what"
                            + " TransactionalScheduler does stays if the caller fails; add a bean of type MongoTransactionManager");
        }
        if (hasOtherClient(config, configured)) {
            throw new IllegalStateException(
                    "TransactionalScheduler needs the client of Spring's transactions: " + OTHER_CLIENT);
        }
        if (store instanceof MongoJobStore mongo) {
            return new SpringTransactionalScheduler(scheduler, mongo, new SpringSession(factory));
        }
        throw new IllegalStateException(
                "TransactionalScheduler needs a MongoJobStore, and the bean of type JobStore is a "
                        + store.getClass().getName());
    }
}
