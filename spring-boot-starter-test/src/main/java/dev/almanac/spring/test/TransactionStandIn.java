package dev.almanac.spring.test;

import dev.almanac.spring.TransactionalScheduler;
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
    private static final String SCHEDULER = "almanacTestTransactionalScheduler";

    private final MemoryTransactions transactions = new MemoryTransactions();

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
        if (!has(beans, TransactionManager.class)) {
            registry.registerBeanDefinition(
                    "almanacTestTransactions",
                    BeanDefinitionBuilder.genericBeanDefinition(MemoryTransactions.class, () -> transactions)
                            .getBeanDefinition());
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
