package dev.almanac.spring.test;

import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.SmartTransactionObject;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Transactions without a server: each keeps its changes of jobs, and its commit stores all of them, or none. */
final class MemoryTransactions extends AbstractPlatformTransactionManager {
    @Serial
    private static final long serialVersionUID = 1L;

    /** One transaction of a thread. */
    private static final class Transaction implements SmartTransactionObject {
        private boolean rollbackOnly;
        private boolean over;
        private @Nullable Jobs jobs;

        @Override
        public boolean isRollbackOnly() {
            return rollbackOnly;
        }
    }

    /** What a transaction does with jobs. */
    private record Jobs(MemoryTransaction changes, JobWriter writer) {
        static Jobs of(Scheduler scheduler, InMemoryJobStore store) {
            MemoryTransaction changes = new MemoryTransaction(store);
            return new Jobs(changes, scheduler.in(changes));
        }
    }

    /** Whether the thread is in a transaction that has neither committed nor rolled back; that of another manager is none. */
    boolean isOpen() {
        return open() != null;
    }

    /** Writes in the open transaction of the thread; null = there is none, and each change takes effect by itself. */
    @Nullable
    JobWriter writer(Scheduler scheduler, InMemoryJobStore store) {
        Transaction open = open();
        if (open == null) {
            return null;
        }
        Jobs jobs = open.jobs == null ? Jobs.of(scheduler, store) : open.jobs;
        open.jobs = jobs;
        return jobs.writer();
    }

    private @Nullable Transaction open() {
        Transaction bound = (Transaction) TransactionSynchronizationManager.getResource(this);
        return bound == null || bound.over ? null : bound;
    }

    @Override
    protected Object doGetTransaction() {
        Transaction bound = (Transaction) TransactionSynchronizationManager.getResource(this);
        return bound == null ? new Transaction() : bound;
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return TransactionSynchronizationManager.getResource(this) == transaction;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        TransactionSynchronizationManager.bindResource(this, transaction);
    }

    @Override
    protected Object doSuspend(Object transaction) {
        return TransactionSynchronizationManager.unbindResource(this);
    }

    @Override
    protected void doResume(Object transaction, Object suspended) {
        TransactionSynchronizationManager.bindResource(this, suspended);
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        Transaction transaction = (Transaction) status.getTransaction();
        transaction.over = true;
        if (transaction.jobs != null) {
            transaction.jobs.changes().commit();
            transaction.jobs.writer().committed();
        }
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        ((Transaction) status.getTransaction()).over = true;
    }

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {
        ((Transaction) status.getTransaction()).rollbackOnly = true;
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        TransactionSynchronizationManager.unbindResourceIfPossible(this);
    }
}
