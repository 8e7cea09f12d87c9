package dev.almanac.spring.test;

import dev.almanac.spring.TransactionalScheduler;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;

/**
 * Has transactions in memory in the place of each transaction manager of MongoDB. It adds none, so that code which has no
 * transactions in the service has none in the test. The managers of other databases stay, since their transactions include
 * no jobs. Without Spring Data MongoDB there is no {@link TransactionalScheduler}, as in production.
 */
final class TransactionStandIn implements BeanFactoryPostProcessor, BeanPostProcessor {
    private static final String SCHEDULER = "almanacTestTransactionalScheduler";

    private final MemoryTransactions transactions = new MemoryTransactions();

    MemoryTransactions transactions() {
        return transactions;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (has(beans, MongoDatabaseFactory.class)) {
            AlmanacTestConfiguration.prefer(beans, TransactionalScheduler.class, SCHEDULER);
        } else {
            ((BeanDefinitionRegistry) beans).removeBeanDefinition(SCHEDULER);
        }
    }

    /** Whether there is a bean of the kind, here or in a context above. Makes none. */
    static boolean has(ListableBeanFactory beans, Class<?> kind) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, kind, true, false).length > 0;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof MongoTransactionManager ? transactions : bean;
    }
}
