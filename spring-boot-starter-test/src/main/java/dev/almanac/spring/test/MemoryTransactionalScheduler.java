package dev.almanac.spring.test;

import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.model.CancelResult;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.spring.TransactionalScheduler;
import dev.almanac.testkit.memory.InMemoryJobStore;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Over a store in memory: what a transaction of Spring has written is stored when it commits. Thread-safe. */
final class MemoryTransactionalScheduler implements TransactionalScheduler {
    private final Scheduler scheduler;
    private final InMemoryJobStore store;

    MemoryTransactionalScheduler(Scheduler scheduler, InMemoryJobStore store) {
        this.scheduler = scheduler;
        this.store = store;
    }

    @Override
    public Job scheduleJob(JobSpecification specification) {
        return isInTransaction() ? writer().scheduleJob(specification) : scheduler.scheduleJob(specification);
    }

    @Override
    public Job updateJob(JobSpecification specification) {
        return isInTransaction() ? writer().updateJob(specification) : scheduler.updateJob(specification);
    }

    @Override
    public CancelResult cancelJob(String jobSpecificationKey) {
        return isInTransaction() ? writer().cancelJob(jobSpecificationKey) : scheduler.cancelJob(jobSpecificationKey);
    }

    private static boolean isInTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** The one of the present transaction. */
    private JobWriter writer() {
        Joined joined = (Joined) TransactionSynchronizationManager.getResource(this);
        if (joined == null) {
            joined = new Joined(new MemoryTransaction(store));
            TransactionSynchronizationManager.bindResource(this, joined);
            TransactionSynchronizationManager.registerSynchronization(joined);
        }
        return joined.writer;
    }

    private final class Joined implements TransactionSynchronization {
        private final MemoryTransaction transaction;
        private final JobWriter writer;

        Joined(MemoryTransaction transaction) {
            this.transaction = transaction;
            this.writer = scheduler.in(transaction);
        }

        @Override
        public void suspend() {
            TransactionSynchronizationManager.unbindResource(MemoryTransactionalScheduler.this);
        }

        @Override
        public void resume() {
            TransactionSynchronizationManager.bindResource(MemoryTransactionalScheduler.this, this);
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            transaction.commit();
        }

        @Override
        public void afterCommit() {
            writer.committed();
        }

        @Override
        public void afterCompletion(int status) {
            TransactionSynchronizationManager.unbindResourceIfPossible(MemoryTransactionalScheduler.this);
        }
    }
}
