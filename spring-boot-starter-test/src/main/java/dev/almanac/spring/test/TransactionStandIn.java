package dev.almanac.spring.test;

import dev.almanac.spring.TransactionalScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.transaction.TransactionManager;

/**
 * Has transactions in memory in the place of each transaction manager of MongoDB, or of none. The managers of other
 * databases stay, since their transactions include no jobs. Without Spring Data MongoDB there is no {@link
 * TransactionalScheduler}, as in production.
 */
final class TransactionStandIn implements BeanFactoryPostProcessor, BeanPostProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionStandIn.class);
    private static final String SCHEDULER = "almanacTestTransactionalScheduler";

    private final MemoryTransactions transactions = new MemoryTransactions();
    /** Whether the application has no transaction manager at all. */
    private boolean alone;

    MemoryTransactions transactions() {
        return transactions;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beans;
        if (!has(beans, MongoDatabaseFactory.class)) {
            registry.removeBeanDefinition(SCHEDULER);
            return;
        }
        AlmanacTestConfiguration.prefer(beans, TransactionalScheduler.class, SCHEDULER);
        alone = !has(beans, TransactionManager.class);
        if (alone) {
            registry.registerBeanDefinition(
                    "almanacTestTransactions",
                    BeanDefinitionBuilder.genericBeanDefinition(MemoryTransactions.class, () -> transactions)
                            .getBeanDefinition());
        }
    }

    /** What is undone here stays in production. */
    void warnIfAlone() {
        if (alone) {
            LOG.warn("the application has no bean of type TransactionManager; this test has one, but in production"
                    + " @Transactional has no effect, and what TransactionalScheduler does stays if the caller fails;"
                    + " add a bean of type MongoTransactionManager");
        }
    }

    private static boolean has(ConfigurableListableBeanFactory beans, Class<?> kind) {
        return beans.getBeanNamesForType(kind, true, false).length > 0;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof MongoTransactionManager ? transactions : bean;
    }
}
