package dev.almanac.spring;

import dev.almanac.Scheduler;
import dev.almanac.mongo.MongoJobStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;

/** Makes a {@link TransactionalScheduler} where Spring Data MongoDB is, with its transactions. */
@AutoConfiguration(after = AlmanacAutoConfiguration.class)
@ConditionalOnClass(MongoDatabaseFactory.class)
@ConditionalOnBean({MongoDatabaseFactory.class, MongoJobStore.class})
public class AlmanacTransactionAutoConfiguration {
    /** Made by Spring. */
    public AlmanacTransactionAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    TransactionalScheduler almanacTransactionalScheduler(
            Scheduler scheduler, MongoJobStore store, MongoDatabaseFactory factory) {
        return new TransactionalScheduler(scheduler, store, new SpringSession(factory));
    }
}
