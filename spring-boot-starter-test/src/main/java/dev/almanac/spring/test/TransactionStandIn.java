package dev.almanac.spring.test;

import dev.almanac.Scheduler;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.spring.TransactionalScheduler;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
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
    private static final String SCHEDULER = "almanacTransactionalScheduler";

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
            return;
        }
        replaceScheduler(beans, registry);
        alone = !has(beans, TransactionManager.class);
        if (alone) {
            registry.registerBeanDefinition(
                    "almanacTestTransactions",
                    BeanDefinitionBuilder.genericBeanDefinition(MemoryTransactions.class, () -> transactions)
                            .getBeanDefinition());
        }
    }

    /**
     * That of the starter, which is there under its own conditions, is made over the store in memory. So is one of the
     * application's own. A double of the test, which is made already, stays.
     */
    private void replaceScheduler(ConfigurableListableBeanFactory beans, BeanDefinitionRegistry registry) {
        if (!has(beans, TransactionalScheduler.class) || beans.containsSingleton(SCHEDULER)) {
            return;
        }
        boolean ofStarter = beans.getBeanNamesForType(JobStore.class, true, false).length == 1;
        BeanDefinition inMemory = BeanDefinitionBuilder.genericBeanDefinition(
                        TransactionalScheduler.class, () -> scheduler(beans, ofStarter))
                .setLazyInit(true)
                .getBeanDefinition();
        if (registry.containsBeanDefinition(SCHEDULER)) {
            registry.removeBeanDefinition(SCHEDULER);
        }
        registry.registerBeanDefinition(SCHEDULER, inMemory);
        AlmanacTestConfiguration.prefer(beans, TransactionalScheduler.class, SCHEDULER);
    }

    /** @param ofStarter whether the store of production is that of the starter */
    private TransactionalScheduler scheduler(BeanFactory beans, boolean ofStarter) {
        warnIfAlone();
        if (ofStarter && beans.getBean(AlmanacConfig.class).uri() != null) {
            throw new IllegalStateException(
                    "TransactionalScheduler needs the client of Spring's transactions, and"
                            + " production refuses it: take almanac.store.uri away, with which the store has clients of its own");
        }
        return new MemoryTransactionalScheduler(
                beans.getBean(Scheduler.class), beans.getBean(InMemoryJobStore.class), transactions);
    }

    /** What is undone here stays in production. */
    private void warnIfAlone() {
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
