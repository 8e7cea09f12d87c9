package dev.almanac.spring.test;

import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.io.Serial;
import java.util.Objects;
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

    /** A view of the transaction that is bound to a thread; Spring asks for one at each place that may begin or join it. */
    private static final class View implements SmartTransactionObject {
        private @Nullable Transaction bound;

        private Transaction bound() {
            return Objects.requireNonNull(bound);
        }

        @Override
        public boolean isRollbackOnly() {
            return bound != null && bound.rollbackOnly;
        }
    }

    /** One transaction, bound to its thread unless it is suspended. */
    private static final class Transaction {
        private boolean rollbackOnly;
        private boolean over;
        private @Nullable Jobs jobs;
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
        Transaction bound = bound();
        return bound == null || bound.over ? null : bound;
    }

    private @Nullable Transaction bound() {
        return (Transaction) TransactionSynchronizationManager.getResource(this);
    }

    @Override
    protected Object doGetTransaction() {
        View view = new View();
        view.bound = bound();
        return view;
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return ((View) transaction).bound != null;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        Transaction begun = new Transaction();
        ((View) transaction).bound = begun;
        TransactionSynchronizationManager.bindResource(this, begun);
    }

    @Override
    protected Object doSuspend(Object transaction) {
        ((View) transaction).bound = null;
        return TransactionSynchronizationManager.unbindResource(this);
    }

    @Override
    protected void doResume(@Nullable Object transaction, Object suspended) {
        TransactionSynchronizationManager.bindResource(this, suspended);
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        Transaction transaction = of(status);
        transaction.over = true;
        if (transaction.jobs != null) {
            transaction.jobs.changes().commit();
            transaction.jobs.writer().committed();
        }
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        of(status).over = true;
    }

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {
        of(status).rollbackOnly = true;
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        TransactionSynchronizationManager.unbindResourceIfPossible(this);
    }

    private static Transaction of(DefaultTransactionStatus status) {
        return ((View) status.getTransaction()).bound();
    }
}
